import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signJws } from "../../../kernel/crypto/jws.ts";
import { configurationOf, makeFederationKey } from "../../federation/entity.fixture.ts";
import { configurationUrl, entityHost, readEntityConfiguration } from "./entity-configuration.ts";

const expected = { entityId: "https://shop.example", anchorId: "https://directory.example", nowSeconds: 1_800_000_000 };
const [own, other] = [makeFederationKey("a"), makeFederationKey("b")];
const secret = { ...own.jwk, d: "AQAB" };
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });

const problemOf = (wish: Partial<Parameters<typeof configurationOf>[1]>): string | null => {
  const result = readEntityConfiguration(configurationOf(expected, { keys: [own, other], ...wish }), expected);
  return "problem" in result ? result.problem : null;
};
const withClaims = (claims: Record<string, unknown>) => problemOf({ claims });

/** A trust mark with a type, and the type that its JWT states. */
const markOf = (type: string, stated: string) => ({
  trust_mark_type: type,
  trust_mark: signJws({ alg: "ES256", typ: "trust-mark+jwt", kid: "m" }, { trust_mark_type: stated }, own.privateKey),
});

describe("a leaf's configuration (OpenID Federation 1.0, Entity Configuration)", () => {
  test("is accepted if one of its keys signed it, and its keys and metadata are returned", () => {
    expect(problemOf({ signer: other })).toBeNull();
    const result = readEntityConfiguration(configurationOf(expected, { keys: [own, other] }), expected);
    expect(result).toMatchObject({
      keys: [{ kid: "a" }, { kid: "b" }],
      metadata: { oauth_client: { client_name: "Grocer Bot" } },
      expiresAtSeconds: expected.nowSeconds + 86_400,
    });
  });

  test.each([
    ["another type", { typ: "JWT" }, "has a typ other than"],
    ["a signature of a key that it doesn't have", { keys: [other], signer: own }, "names no usable key"],
    ["a kid of another key", { signer: { ...own, kid: "b" } }, "names no usable key"],
  ])("with %s is refused", (_name, wish, problem) => {
    expect(problemOf(wish)).toContain(problem);
  });

  test.each([
    ["iss", { iss: "https://other.example" }, "iss or sub"],
    ["sub", { sub: "https://shop.example/" }, "iss or sub"],
    ["iat in the future", { iat: expected.nowSeconds + 61 }, "iat"],
    ["no iat", { iat: undefined }, "iat"],
    ["exp now", { exp: expected.nowSeconds }, "exp"],
    ["no exp", { exp: undefined }, "exp"],
    ["no jwks", { jwks: undefined }, "jwks"],
    ["an empty jwks", { jwks: { keys: [] } }, "jwks"],
    ["a key without kid", { jwks: { keys: [{ ...own.jwk, kid: undefined }] } }, "without kid"],
    ["two keys with the same kid", { jwks: { keys: [own.jwk, { ...other.jwk, kid: "a" }] } }, "the same kid"],
    ["a private key", { jwks: { keys: [secret] } }, "secret key"],
    ["a key of another curve", { jwks: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "a" }] } }, "usable"],
    ["other superiors", { authority_hints: ["https://other.example"] }, "authority_hints"],
    ["no superiors", { authority_hints: undefined }, "authority_hints"],
    ["superiors that aren't texts", { authority_hints: [expected.anchorId, 1] }, "authority_hints"],
    ["an empty kid", { jwks: { keys: [{ ...own.jwk, kid: "" }] } }, "without kid"],
    ["no trust anchors", { trust_anchor_hints: [] }, "trust_anchor_hints"],
    ["a trust mark that isn't an object", { trust_marks: ["a"] }, "trust_marks"],
    [
      "a trust mark of another type",
      { trust_marks: [markOf("https://a.example", "https://b.example")] },
      "trust_marks",
    ],
    ["an audience", { aud: "https://op.example" }, "aud"],
    ["a trust anchor", { trust_anchor: "https://directory.example" }, "trust_anchor"],
    ["null as a value of its metadata", { metadata: { oauth_client: { client_name: null } } }, "null"],
    ["no metadata", { metadata: undefined }, "metadata"],
    ["metadata that isn't an object", { metadata: { oauth_client: "a" } }, "metadata"],
    [
      "endpoints of an intermediate",
      { metadata: { federation_entity: { federation_list_endpoint: "a" } } },
      "endpoints",
    ],
    [
      "the metadata of another authorization server",
      { metadata: { oauth_authorization_server: { issuer: "https://other.example" } } },
      "issuer",
    ],
    [
      "the metadata of another OpenID provider",
      { metadata: { openid_provider: { issuer: `${expected.entityId}/` } } },
      "issuer",
    ],
    [
      "keys in the metadata of its federation entity",
      { metadata: { federation_entity: { jwks_uri: "https://a.example" } } },
      "jwks_uri",
    ],
    ["an entity type with NUL", { metadata: { "a\0b": {} } }, "NUL"],
    ["an unpaired surrogate", { metadata: { oauth_client: { client_name: "\ud800" } } }, "surrogate"],
    [
      "deeply nested metadata",
      { metadata: { oauth_client: { a: JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`) } } },
      "nested too deeply",
    ],
    ["a policy", { metadata_policy: {} }, "metadata_policy"],
    ["constraints", { constraints: {} }, "constraints"],
    ["critical claims", { crit: ["a"] }, "crit"],
  ])("with %s is refused", (_name, claims, problem) => {
    expect(withClaims(claims)).toContain(problem);
  });

  test("with a trust chain in its header is refused", () => {
    const [header = "", ...rest] = configurationOf(expected, { keys: [own] }).split(".");
    const chain = { ...JSON.parse(String(Buffer.from(header, "base64url"))), trust_chain: [] };
    const text = [Buffer.from(JSON.stringify(chain)).toString("base64url"), ...rest].join(".");
    expect(readEntityConfiguration(text, expected)).toEqual({ problem: "has trust_chain" });
  });

  test("may have the metadata of its own authorization server, with or without the issuer", () => {
    const { entityId: issuer } = expected;
    expect(withClaims({ metadata: { oauth_authorization_server: { issuer }, openid_provider: {} } })).toBeNull();
  });

  test("may name trust anchors and have trust marks of the types that they state", () => {
    const marks = { trust_marks: [markOf("https://a.example", "https://a.example")] };
    expect(withClaims({ trust_anchor_hints: [expected.anchorId], ...marks })).toBeNull();
  });

  test("is a JWT", () => {
    expect(readEntityConfiguration("nonsense", expected)).toEqual({ problem: "isn't a JWT" });
  });
});

test.each([
  ["https://shop.example", "shop.example"],
  ["https://shop.example/", "shop.example"],
  ["https://shop.example/a/b", "shop.example"],
  ["https://shop.example:8443", null],
  ["https://shop.example?a", null],
  ["https://shop.example/#", null],
  ["https://a@shop.example", null],
  ["https://SHOP.example", null],
  ["https://shop.example/a/../b", null],
  ["http://shop.example", null],
  ["shop.example", null],
])("identifier %s has the host %s", (entityId, host) => {
  expect(entityHost(entityId)).toBe(host);
});

test.each([
  ["https://shop.example", "https://shop.example/.well-known/openid-federation"],
  ["https://shop.example/", "https://shop.example/.well-known/openid-federation"],
  ["https://shop.example/a", "https://shop.example/a/.well-known/openid-federation"],
])("the configuration of %s is at %s", (entityId, url) => {
  expect(configurationUrl(entityId)).toBe(url);
});
