import { expect, test } from "vitest";
import { isSameResource } from "./uri.ts";

test.each([
  ["https://as.example", "https://as.example", true],
  ["https://as.example/", "https://as.example", true],
  ["https://AS.example:443/", "https://as.example", true],
  ["https://as.example/merchant_test/", "https://as.example/merchant_test", true],
  ["http://localhost:3001/", "http://localhost:3001", true],
  ["https://as.example//", "https://as.example", false],
  ["https://as.example/Merchant_test", "https://as.example/merchant_test", false],
  ["https://as.example?a", "https://as.example", false],
  ["https://as.example/?a=/", "https://as.example/?a=", false],
  ["https://as.example#", "https://as.example", false],
  ["https://user@as.example", "https://as.example", false],
  ["http://as.example", "https://as.example", false],
  ["as.example", "as.example", false],
])("%s and %s name the same resource: %s (RFC 8707 §2, RFC 3986 §6.2.3)", (left, right, expected) => {
  expect(isSameResource(left, right)).toBe(expected);
});
