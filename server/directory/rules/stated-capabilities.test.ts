import { expect, test } from "vitest";
import { statedCapabilities } from "./stated-capabilities.ts";

test("capabilities are read from the metadata (RFC 8414 §2)", () => {
  expect(
    statedCapabilities({
      grant_types_supported: ["refresh_token", "authorization_code", "refresh_token"],
      pushed_authorization_request_endpoint: "https://auth.example/par",
      dpop_signing_alg_values_supported: ["ES256"],
      authorization_details_types_supported: ["payment_mandate_v1"],
    }),
  ).toEqual({
    grant_types: ["authorization_code", "refresh_token"],
    pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
    authorization_details_types: ["payment_mandate_v1"],
  });
});

test("metadata without grant types has the default of RFC 8414 §2", () => {
  expect(statedCapabilities({})).toEqual({
    grant_types: ["authorization_code", "implicit"],
    pushed_authorization_requests: false,
    dpop_bound_access_tokens: false,
    authorization_details_types: [],
  });
});

test("values that no filter can name are left out, and lists are limited", () => {
  const many = Array.from({ length: 200 }, (_, index) => `type_${index}`);
  const { grant_types, authorization_details_types, pushed_authorization_requests } = statedCapabilities({
    grant_types_supported: ["", "a b", "x".repeat(201), 7, null, ["authorization_code"], "\u202eevil", "refresh_token"],
    pushed_authorization_request_endpoint: true,
    dpop_signing_alg_values_supported: "ES256",
    authorization_details_types_supported: many,
  });
  expect(grant_types).toEqual(["refresh_token"]);
  expect(pushed_authorization_requests).toBe(false);
  expect(authorization_details_types).toHaveLength(50);
});
