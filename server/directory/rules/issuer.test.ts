import { expect, test } from "vitest";
import { isSameIssuer, issuerMetadataUri } from "./issuer.ts";

test.each([
  ["https://auth.example", "https://auth.example/.well-known/oauth-authorization-server"],
  ["https://auth.example/", "https://auth.example/.well-known/oauth-authorization-server"],
  ["https://auth.example/tenant1", "https://auth.example/.well-known/oauth-authorization-server/tenant1"],
  ["https://auth.example/tenant1/", "https://auth.example/.well-known/oauth-authorization-server/tenant1"],
  ["https://auth.example:8443", "https://auth.example:8443/.well-known/oauth-authorization-server"],
])("the metadata of %s is at %s (RFC 8414 §3.1)", (issuer, uri) => {
  expect(issuerMetadataUri(issuer)).toBe(uri);
});

test.each([
  "auth.example",
  "",
  "https://",
  "https://auth.example?x=1",
  "https://auth.example?",
  "https://auth.example/#top",
  "https://auth.example#",
  "https://AUTH.example",
  "https://auth.example:443",
  "https://auth.example/a/../b",
  "https://user:secret@auth.example",
  "https://auth.example/a b",
  " https://auth.example",
  `https://auth.example/${"a".repeat(500)}`,
])("%s isn't an issuer in its normal form (RFC 8414 §2)", (issuer) => {
  expect(issuerMetadataUri(issuer)).toBeNull();
});

test("a trailing slash doesn't make another issuer", () => {
  expect(isSameIssuer("https://auth.example/", "https://auth.example")).toBe(true);
  expect(isSameIssuer("https://auth.example/a", "https://auth.example")).toBe(false);
});
