import { describe, expect, test } from "vitest";
import { parseBillingIssuer } from "./billing-issuer.ts";

const given = {
  name: "Example Payments GmbH",
  line1: "Hauptstraße 1",
  postal_code: "10115",
  city: "Berlin",
  country: "DE",
  vat_number: "DE123456789",
  email: "billing@pay.example",
};

describe("BILLING_ISSUER (docs/operating.md)", () => {
  test("is read from a JSON object", () => {
    const { postal_code: postalCode, vat_number: vatNumber, ...same } = given;
    expect(parseBillingIssuer(JSON.stringify(given))).toEqual({ ...same, postalCode, vatNumber, line2: null });
    expect(parseBillingIssuer("")).toBeNull();
  });

  test.each([
    ["Example GmbH", "must be a JSON object in one line"],
    ["[]", "invalid JSON object: "],
    [JSON.stringify({ ...given, country: "Germany" }), "country: must be an ISO 3166-1 alpha-2 code"],
    [JSON.stringify({ ...given, vat_number: "123" }), "vat_number: must be two capital letters"],
    [JSON.stringify({ ...given, phone: "1" }), "phone"],
    [JSON.stringify({ ...given, city: undefined }), "city"],
  ])("%s is refused, and the error says what is wrong", (source, problem) => {
    expect(() => parseBillingIssuer(source)).toThrow(problem);
  });
});
