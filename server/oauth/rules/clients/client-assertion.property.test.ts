import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOAuthError } from "../../../kernel/errors.ts";
import { isText } from "../../../kernel/text/text.ts";
import { assertionAlgorithms, checkAssertionClaims, checkAssertionHeader } from "./client-assertion.ts";

const now = 1_795_219_200;
const issuer = "https://pay.example";
const expected = { clientId: "cl_test_1", audiences: [issuer, `${issuer}/oauth/token`], now: new Date(now * 1000) };

const codeOf = (check: () => unknown): string | null => {
  try {
    check();
    return null;
  } catch (error) {
    return isOAuthError(error) ? error.code : String(error);
  }
};

const good = {
  iss: expected.clientId,
  sub: expected.clientId,
  aud: issuer,
  exp: now + 60,
  iat: now,
  nbf: now,
  jti: "1",
};

/** Values at every limit, and of every type. */
const instant = fc.oneof(
  fc.constantFrom(...[-1, 0, 0.5, 1, 30, 30.5, 31, 3600, 3601].map((offset) => now + offset)),
  fc.double({ min: now - 2, max: now + 3700, noNaN: true }),
  fc.constantFrom<unknown>(undefined, null, "1795219260", Number.NaN, Number.POSITIVE_INFINITY, [now], true),
);
const id = fc.constantFrom<unknown>("cl_test_1", "cl_test_2", "", undefined, ["cl_test_1"]);
const deviations = {
  iss: id,
  sub: id,
  aud: fc.constantFrom<unknown>(issuer, `${issuer}/oauth/token`, `${issuer}/`, [issuer], undefined),
  exp: instant,
  iat: instant,
  nbf: instant,
  jti: fc.oneof(fc.string(), fc.constantFrom<unknown>(undefined, 7, "j".repeat(256), "j".repeat(257), "\0", "\ud800")),
};
/** At most two changes at a time, so that each rule is also tested alone. */
const claims = fc.tuple(fc.subarray(Object.keys(deviations), { maxLength: 2 }), fc.record(deviations)).map(
  ([names, all]): Record<string, unknown> => ({
    ...good,
    ...Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
  }),
);

/** RFC 7523 §3 and docs/spec/oauth.md, Client assertion, as one condition. */
const isGood = ({ iss, sub, aud, exp, iat, nbf, jti }: Record<string, unknown>): boolean => {
  const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
  const hasBegun = (value: unknown) => value === undefined || (isNumber(value) && value <= now + 30);
  return (
    iss === expected.clientId &&
    sub === expected.clientId &&
    expected.audiences.some((audience) => audience === aud) &&
    isNumber(exp) &&
    exp > now &&
    exp <= now + 3600 &&
    hasBegun(iat) &&
    hasBegun(nbf) &&
    typeof jti === "string" &&
    jti.length >= 1 &&
    jti.length <= 256 &&
    isText(jti)
  );
};

describe("claims of a client assertion (RFC 7523 §3)", () => {
  test("are accepted if and only if they satisfy RFC 7523 §3 and our time limits; others are invalid_client", () => {
    fc.assert(
      fc.property(claims, (sent) => {
        expect(codeOf(() => checkAssertionClaims(sent, expected))).toBe(isGood(sent) ? null : "invalid_client");
      }),
      { numRuns: 3000 },
    );
  });

  const lasting = fc.record({ exp: fc.double({ min: now + 0.001, max: now + 3600, noNaN: true }), jti: fc.uuid() });

  test("determine how long the jti is stored: until the assertion expires, even if exp has fractions of a second", () => {
    fc.assert(
      fc.property(lasting, (sent) => {
        const { jti, expiresAt } = checkAssertionClaims({ ...good, ...sent }, expected);
        expect(jti).toBe(sent.jti);
        expect(codeOf(() => checkAssertionClaims({ ...good, ...sent }, { ...expected, now: expiresAt }))).toBe(
          "invalid_client",
        );
      }),
    );
  });

  test("with any JSON values are either accepted or refused as invalid_client", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("iss", "sub", "aud", "exp", "jti", "x"), fc.jsonValue()), (sent) => {
        expect([null, "invalid_client"]).toContain(codeOf(() => checkAssertionClaims(sent, expected)));
      }),
    );
  });
});

describe("header of a client assertion (RFC 7515 §4.1)", () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(...assertionAlgorithms, "none", "RS256", "JWT", "jwt", "application/jwt", true, undefined),
    fc.jsonValue(),
  );
  const names = ["alg", "typ", "crit", "b64", "jku", "jwk", "x5u", "x5c", "kid"];

  test("is accepted if and only if all its members are allowed, and its alg is the registered one, or a supported one if none is registered", () => {
    const pinned = fc.constantFrom(null, ...assertionAlgorithms);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), pinned, (sent, pin) => {
        const header: Record<string, unknown> = { alg: "ES256", ...sent };
        const { alg, typ, b64 } = header;
        const names = ["jku", "jwk", "x5u", "x5c", "crit"].filter((name) => header[name] !== undefined);
        const isTyped =
          typ === undefined ||
          (typeof typ === "string" && /^(application\/)?(jwt|client-authentication\+jwt)$/i.test(typ));
        const sameAs = (name: unknown) => (name === "Ed25519" ? "EdDSA" : name);
        const isAlgorithm =
          assertionAlgorithms.some((known) => known === alg) && (pin === null || sameAs(alg) === sameAs(pin));
        const isTaken = isAlgorithm && names.length === 0 && isTyped && (b64 === undefined || b64 === true);
        expect(codeOf(() => checkAssertionHeader(header, pin))).toBe(isTaken ? null : "invalid_client");
      }),
      { numRuns: 1000 },
    );
  });

  test("additional members never make a refused header valid", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), value),
        fc.dictionary(fc.string(), value),
        (header, more) => {
          const refused = codeOf(() => checkAssertionHeader(header, null));
          fc.pre(refused !== null);
          const { alg: _alg, typ: _typ, ...added } = more;
          expect(codeOf(() => checkAssertionHeader({ ...added, ...header }, null))).toBe(refused);
        },
      ),
    );
  });
});
