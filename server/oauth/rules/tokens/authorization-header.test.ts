import { expect, test } from "vitest";
import { challenge, parseAuthorization } from "./authorization-header.ts";

test.each([
  ["Bearer abc", "bearer", "abc"],
  ["bearer abc", "bearer", "abc"],
  ["DPoP  abc==", "dpop", "abc=="],
])("%s is read (RFC 9110 §11.1: the scheme in upper or lower case)", (header, scheme, token) => {
  expect(parseAuthorization(header)).toEqual({ scheme, token });
});

test.each([[null], [""], ["Bearer"], ["Bearer a b"], ["Basic abc"], ["Bearer a,DPoP b"], ["Bearer ü"]])(
  "%s is refused",
  (header) => {
    expect(parseAuthorization(header)).toBeNull();
  },
);

test("a challenge for a proof that is too old has max_age in both schemes (RFC 9470 §3)", () => {
  const error = { code: "insufficient_user_authentication", description: "old" };
  const text = challenge({
    error,
    maxAgeSeconds: 60,
    resourceMetadata: "https://a.example/m",
    dpopAlgorithms: ["ES256"],
  });
  const parameters =
    'error="insufficient_user_authentication", error_description="old", max_age="60", resource_metadata="https://a.example/m"';
  expect(text).toBe(`DPoP ${parameters}, algs="ES256", Bearer ${parameters}`);
});

test("a challenge names both schemes, the resource's metadata and the algorithms (RFC 9449 §7.1, RFC 9728 §5.1)", () => {
  const text = challenge({
    error: { code: "invalid_token", description: "no" },
    resourceMetadata: "https://a.example/m",
    dpopAlgorithms: ["ES256", "EdDSA"],
  });
  expect(text).toBe(
    'DPoP error="invalid_token", error_description="no", resource_metadata="https://a.example/m", algs="ES256 EdDSA", ' +
      'Bearer error="invalid_token", error_description="no", resource_metadata="https://a.example/m"',
  );
});
