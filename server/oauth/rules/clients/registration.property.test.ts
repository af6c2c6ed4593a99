import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOAuthError } from "../../../kernel/errors.ts";
import { supportedScopes } from "../scopes.ts";
import { checkClientKeys } from "./client-jwks.ts";
import { checkRegistration } from "./registration.ts";
import type { RegistrationBounds } from "./registration-rules.ts";

const bounds: RegistrationBounds = {
  kind: null,
  allowedScopes: null,
  mayChooseBearer: true,
  allowsLocalhost: false,
  dpopBound: false,
};
const key = { kty: "EC", crv: "P-256", x: "Zm9v", y: "YmFy", kid: "1" };

const register = (raw: Record<string, unknown>, within = bounds) => {
  try {
    return checkRegistration(raw, within, {});
  } catch (error) {
    // A code of RFC 7591 §3.2.2, and a description in the characters that RFC 6749 §5.2 allows.
    expect(isOAuthError(error) && error.code).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
    expect(isOAuthError(error) && error.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    return null;
  }
};

const agent = { redirect_uris: ["https://a.example/cb"], grant_types: ["authorization_code", "refresh_token"] };
const merchant = { grant_types: ["client_credentials"], scope: "charges.write charges.read" };

const members = {
  redirect_uris: fc.uniqueArray(fc.constantFrom("https://a.example/cb", "http://127.0.0.1/cb", "http://a.example/")),
  grant_types: fc.subarray(["authorization_code", "refresh_token", "client_credentials"]),
  response_types: fc.constantFrom(["code"], [], ["token"]),
  client_name: fc.string(),
  "client_name#de": fc.string({ minLength: 1 }),
  client_uri: fc.constantFrom("https://a.example", "http://a.example", "x"),
  contacts: fc.array(fc.string()),
  scope: fc.subarray([...supportedScopes]).map((scopes) => scopes.join(" ")),
  token_endpoint_auth_method: fc.constantFrom("private_key_jwt", "none"),
  token_endpoint_auth_signing_alg: fc.constantFrom("ES256", "PS256", "RS256"),
  dpop_bound_access_tokens: fc.boolean(),
  introspection_signed_response_alg: fc.constantFrom("ES256", "none"),
  software_id: fc.string({ minLength: 1 }),
  unknown_member: fc.jsonValue(),
};
const memberNames = Object.keys(members) as (keyof typeof members)[];
/** A valid registration with arbitrary values of some members. */
const metadata = fc
  .tuple(fc.constantFrom(agent, merchant), fc.subarray(memberNames, { maxLength: 3 }), fc.record(members))
  .map(
    ([valid, names, all]): Record<string, unknown> => ({
      ...valid,
      ...Object.fromEntries(names.map((name) => [name, all[name]])),
      jwks: { keys: [key] },
    }),
  );

describe("client metadata (RFC 7591 §2)", () => {
  test("sending the registered metadata back unchanged changes nothing (RFC 7592 §2.2)", () => {
    fc.assert(
      fc.property(metadata, (sent) => {
        const first = register(sent);
        if (!first) return;
        const again = register(first.metadata, {
          ...bounds,
          kind: first.kind,
          dpopBound: first.metadata.dpop_bound_access_tokens,
        });
        expect(again).toEqual(first);
      }),
      { numRuns: 300 },
    );
  });

  test("unknown members and null values change nothing (RFC 7591 §2, RFC 7592 §2.2)", () => {
    const absent = fc.constantFrom("client_uri", "contacts", "software_id", "introspection_signed_response_alg");
    fc.assert(
      fc.property(
        metadata,
        fc.dictionary(
          fc.string().map((name) => `x_${name}`),
          fc.jsonValue(),
        ),
        absent,
        (sent, more, name) => {
          expect(register({ ...sent, ...more })).toEqual(register(sent));
          const { [name]: _left, ...without } = sent;
          expect(register({ ...sent, [name]: null })).toEqual(register(without));
        },
      ),
    );
  });

  test("a client has the kind of its initial access token, only scopes of this token, and bound tokens if it is an agent", () => {
    const widest = fc.subarray([...supportedScopes]);
    fc.assert(
      fc.property(
        metadata,
        widest,
        fc.constantFrom("agent" as const, "merchant" as const),
        (sent, allowedScopes, kind) => {
          const within = register(sent, { ...bounds, kind, allowedScopes, mayChooseBearer: false });
          if (!within) return;
          expect(within.kind).toBe(kind);
          const scopes = within.metadata.scope.split(" ").filter(Boolean);
          expect(scopes.filter((scope) => !allowedScopes.includes(scope))).toEqual([]);
          if (within.metadata.grant_types.includes("authorization_code")) {
            expect(within.metadata.dpop_bound_access_tokens).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("any JSON is accepted, or refused with a code of RFC 7591 and the name of the member", () => {
    const names = fc.constantFrom(
      ...Object.keys(members),
      "jwks",
      "jwks_uri",
      "client_id",
      "client_secret",
      "authorization_details_types",
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.boolean(), (sent, hasKey) => {
        register(hasKey ? { ...sent, jwks: { keys: [key] } } : sent);
      }),
      { numRuns: 300 },
    );
  });
});

test("reading any key set returns only public members, and only text (RFC 7517 §9.3)", () => {
  const value = fc.oneof(fc.constantFrom<unknown>("EC", "P-256", "Zm9v", "sig", "ES256", "1"), fc.jsonValue());
  const names = fc.constantFrom("kty", "crv", "x", "y", "n", "e", "kid", "use", "alg", "d", "k", "p", "x5c", "ext");
  const someKey = fc.oneof(
    fc.dictionary(names, value),
    fc.dictionary(names, value).map((more) => ({ ...more, ...key })),
  );
  fc.assert(
    fc.property(fc.array(someKey, { maxLength: 3 }), (keys) => {
      let checked: Record<string, string>[];
      try {
        checked = checkClientKeys({ keys }, "jwks");
      } catch (error) {
        expect(isOAuthError(error) && error.code).toBe("invalid_client_metadata");
        return;
      }
      for (const [index, picked] of checked.entries()) {
        const known = ["use", "alg", "kty", "crv", "x", "y", "n", "e", "kid"];
        expect(Object.keys(picked).filter((member) => !known.includes(member))).toEqual([]);
        expect(Object.values(picked).every((member) => typeof member === "string")).toBe(true);
        expect(Object.keys(keys[index] ?? {}).filter((member) => ["d", "k", "p"].includes(member))).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});
