import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOAuthError } from "../../../kernel/errors.ts";
import { checkProofClaims, checkProofHeader, dpopAlgorithms } from "./dpop.ts";

const now = 1_795_219_200;

const isTaken = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    expect(isOAuthError(error) && error.code).toBe("invalid_dpop_proof");
    return false;
  }
};

type Address = { scheme: "http" | "https"; host: string; port: number; path: readonly string[] };

const address: fc.Arbitrary<Address> = fc.record({
  scheme: fc.constantFrom("http", "https"),
  host: fc.constantFrom("pay.example", "pay.example.org", "localhost"),
  port: fc.constantFrom(80, 443, 8443),
  path: fc.array(fc.constantFrom("oauth", "token", "par", "OAuth", "mdt_1"), { minLength: 1, maxLength: 3 }),
});

/** The same URI in an equivalent form (RFC 3986 §6.2), with any query and fragment. */
type Spelling = { upper: boolean; explicitPort: boolean; escaped: boolean; dots: number; tail: string };
const spelling: fc.Arbitrary<Spelling> = fc.record({
  upper: fc.boolean(),
  explicitPort: fc.boolean(),
  escaped: fc.boolean(),
  dots: fc.nat(2),
  tail: fc.constantFrom("", "?", "?a=/b", "#c", "?x#y?z"),
});
const write = (
  { scheme, host, port, path }: Address,
  { upper, explicitPort, escaped, dots, tail }: Spelling,
): string => {
  const isDefault = port === (scheme === "http" ? 80 : 443);
  const authority = `${scheme}://${host}`;
  const detour = "/./up/..".repeat(dots);
  const shownPort = isDefault && !explicitPort ? "" : `:${port}`;
  const shownPath = escaped ? path.join("/").replace(/o/g, "%6f").replace(/_/g, "%5F") : path.join("/");
  return `${upper ? authority.toUpperCase() : authority}${shownPort}${detour}/${shownPath}${tail}`;
};
const plain: Spelling = { upper: false, explicitPort: false, escaped: false, dots: 0, tail: "" };

const expectation = (url: string) => ({ method: "POST", url, accessTokenHash: null, now: new Date(now * 1000) });
const claimsFor = (htu: unknown) => ({ jti: "1", htm: "POST", htu, iat: now });

describe("htu (RFC 9449 §4.3: normalized, without query and fragment)", () => {
  test("matches if and only if scheme, host, port and path are equivalent", () => {
    fc.assert(
      fc.property(address, address, fc.boolean(), spelling, (one, another, isSame, spelled) => {
        const other = isSame ? one : another;
        const matches = write(one, plain) === write(other, plain);
        const check = () => checkProofClaims(claimsFor(write(other, spelled)), expectation(write(one, plain)));
        expect(isTaken(check)).toBe(matches);
      }),
      { numRuns: 400 },
    );
  });

  test("never matches if it has credentials or isn't a URI", () => {
    fc.assert(
      fc.property(address, fc.oneof(fc.string(), fc.constantFrom("/oauth/token", "//pay.example/")), (own, text) => {
        const url = write(own, plain);
        expect(isTaken(() => checkProofClaims(claimsFor(text), expectation(url)))).toBe(false);
        const withUser = url.replace("://", "://user@");
        expect(isTaken(() => checkProofClaims(claimsFor(withUser), expectation(url)))).toBe(false);
      }),
    );
  });
});

const url = "https://pay.example/oauth/token";

test("iat is valid if and only if it differs from the current time by at most 60 seconds (RFC 9449 §11.1)", () => {
  const iat = fc.oneof(fc.integer({ min: -65, max: 65 }), fc.double({ min: -61, max: 61, noNaN: true }));
  fc.assert(
    fc.property(iat, (offset) => {
      const check = () => checkProofClaims({ ...claimsFor(url), iat: now + offset }, expectation(url));
      // The sum is rounded as a double.
      expect(isTaken(check)).toBe(Math.abs(now + offset - now) <= 60);
    }),
    { numRuns: 300 },
  );
});

test("a proof for an access token is valid only for that token (RFC 9449 §4.3 (12))", () => {
  const ath = fc.oneof(fc.constantFrom<unknown>("hash", "Hash", "", undefined, null), fc.jsonValue());
  fc.assert(
    fc.property(ath, (sent) => {
      const check = () =>
        checkProofClaims({ ...claimsFor(url), ath: sent }, { ...expectation(url), accessTokenHash: "hash" });
      expect(isTaken(check)).toBe(sent === "hash");
    }),
  );
});

describe("a proof with any other JSON is refused as invalid_dpop_proof", () => {
  const names = fc.constantFrom("jti", "htm", "htu", "iat", "ath", "nonce", "typ", "alg", "jwk", "crit", "kid");
  const value = fc.oneof(fc.constantFrom<unknown>("POST", url, now, "dpop+jwt", "ES256"), fc.jsonValue());
  const members = fc.dictionary(names, value);

  test("claims: accepted values are returned unchanged", () => {
    fc.assert(
      fc.property(members, (sent) => {
        const claims: Record<string, unknown> = { ...claimsFor(url), ...sent };
        if (!isTaken(() => checkProofClaims(claims, expectation(url)))) return;
        const { jti, nonce, issuedAt } = checkProofClaims(claims, expectation(url));
        expect([jti, nonce]).toEqual([claims["jti"], claims["nonce"] ?? null]);
        expect(Math.abs(issuedAt.getTime() / 1000 - now)).toBeLessThanOrEqual(61);
      }),
      { numRuns: 300 },
    );
  });

  test("header: an accepted header has the typ dpop+jwt, a supported algorithm, and a key without private members", () => {
    const key = fc.dictionary(fc.constantFrom("kty", "crv", "x", "d", "k", "oth"), fc.jsonValue());
    fc.assert(
      fc.property(members, fc.oneof(key, fc.jsonValue()), (sent, jwk) => {
        const header: Record<string, unknown> = { typ: "dpop+jwt", alg: "ES256", ...sent, jwk };
        if (!isTaken(() => checkProofHeader(header))) return;
        expect(header["typ"]).toBe("dpop+jwt");
        expect(dpopAlgorithms).toContain(header["alg"]);
        expect(Object.keys(jwk as object).filter((member) => ["d", "k", "oth"].includes(member))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
