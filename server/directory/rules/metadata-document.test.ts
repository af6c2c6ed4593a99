import { describe, expect, test } from "vitest";
import { isMetadataAddress, readKeySet, readMetadata } from "./metadata-document.ts";

const uri = "https://as.example/.well-known/oauth-authorization-server/tenant";
const problemOf = (result: object) => ("problem" in result ? result.problem : null);

describe("metadata documents of participants", () => {
  test.each([
    ["https://as.example/.well-known/oauth-authorization-server", true],
    [uri, true],
    ["https://api.example/.well-known/oauth-protected-resource?tenant=1", true],
    ["https://as.example/.well-known/oauth-authorization-server?tenant=1", false],
    ["https://as.example/.well-known/oauth-authorization-servers", false],
    ["https://as.example/.well-known/openid-federation", false],
    ["https://as.example/x/.well-known/oauth-authorization-server", false],
    ["as.example", false],
  ])("%s is a URL of a metadata document: %s", (address, expected) => {
    expect(isMetadataAddress(address)).toBe(expected);
  });

  test("the issuer must match the URL (RFC 8414 §3.3)", () => {
    const document = { issuer: "https://as.example/tenant", jwks_uri: "https://as.example/jwks" };
    expect(readMetadata(uri, document)).toEqual({ document, jwksUri: "https://as.example/jwks" });
    expect(readMetadata(uri, { issuer: "https://as.example/tenant/" })).toMatchObject({ jwksUri: null });
    expect(problemOf(readMetadata(uri, { issuer: "https://as.example" }))).toMatch(/as its issuer$/);
    expect(problemOf(readMetadata(uri, ["https://as.example/tenant"]))).toMatch(/JSON object/);
    const long = `https://as.example/${"k".repeat(2000)}`;
    for (const jwksUri of [1, "", long, "https://as.example/\u202Ejwks", "https://as.example/jwks\n"]) {
      expect(problemOf(readMetadata(uri, { ...document, jwks_uri: jwksUri }))).toBe("has a jwks_uri that isn’t a URL");
    }
  });

  test("the resource must match the URL (RFC 9728 §3.3)", () => {
    const address = "https://api.example/.well-known/oauth-protected-resource/v1?tenant=1";
    const document = { resource: "https://api.example/v1?tenant=1" };
    expect(readMetadata(address, document)).toEqual({ document, jwksUri: null });
    expect(problemOf(readMetadata(address, { issuer: document.resource }))).toMatch(/as its resource$/);
  });

  test("a JWK Set has public keys only (RFC 7517 §5)", () => {
    const keys = [{ kty: "EC", crv: "P-256", x: "x", y: "y" }];
    expect(readKeySet({ keys })).toEqual({ jwks: { keys } });
    expect(problemOf(readKeySet({ keys: [...keys, { ...keys[0], d: "d" }] }))).toMatch(/isn’t public/);
    expect(problemOf(readKeySet({ keys: [{ kty: "oct", k: "k" }] }))).toMatch(/isn’t public/);
    expect(problemOf(readKeySet({ keys: "x" }))).toMatch(/JWK Set/);
    expect(problemOf(readKeySet({ keys: Array.from({ length: 101 }, () => keys[0]) }))).toMatch(/100 keys/);
  });

  test("a document with more than 20 levels is refused, even if it has thousands of levels", () => {
    const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    const read = (levels: number) => readMetadata(uri, { issuer: "https://as.example/tenant", x: nested(levels) });
    expect(problemOf(read(19))).toBeNull();
    expect([problemOf(read(20)), problemOf(read(30_000))]).toEqual(Array(2).fill("is nested deeper than 20 levels"));
    expect(problemOf(readKeySet({ keys: [{ x: nested(30_000) }] }))).toMatch(/nested deeper/);
  });

  test("a number beyond JavaScript's range is stored as null, so that later checks report no change", () => {
    const read = () => readMetadata(uri, JSON.parse('{"issuer": "https://as.example/tenant", "x": 1e400}') as unknown);
    expect(read()).toEqual({ document: { issuer: "https://as.example/tenant", x: null }, jwksUri: null });
  });
});
