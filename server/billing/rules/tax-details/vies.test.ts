import { describe, expect, test } from "vitest";
import { readViesAnswer, viesAddress, viesRetrySeconds } from "./vies.ts";

describe("VIES (docs/spec/billing.md, Tax details)", () => {
  test.each([
    ["valid", { isValid: true, userError: "VALID" }],
    ["invalid", { isValid: false, userError: "INVALID" }],
    ["invalid", { isValid: false, userError: "INVALID_INPUT" }],
    ["unavailable", { isValid: false, userError: "MS_UNAVAILABLE" }],
    ["unavailable", { isValid: false, userError: "MS_MAX_CONCURRENT_REQ" }],
    ["valid", { valid: true }],
    ["invalid", { valid: false }],
    ["unavailable", {}],
    ["unavailable", { isValid: "yes" }],
    ["unavailable", "VALID"],
    ["unavailable", null],
  ])("%s: %j", (result, answer) => expect(readViesAnswer(answer)).toBe(result));

  test("the URL contains the member state and the number without its prefix", () => {
    expect(viesAddress("https://vies.example/rest-api", "EL123456789")).toBe(
      "https://vies.example/rest-api/ms/EL/vat/123456789",
    );
    expect(viesAddress("https://vies.example", "IE1+12345A")).toBe("https://vies.example/ms/IE/vat/1%2B12345A");
  });

  test("the delay doubles from 15 minutes to a day", () => {
    expect([1, 2, 3, 7, 8, 1_000].map(viesRetrySeconds)).toEqual([900, 1_800, 3_600, 57_600, 86_400, 86_400]);
  });
});
