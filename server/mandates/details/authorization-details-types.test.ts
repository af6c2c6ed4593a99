import { describe, expect, test } from "vitest";
import { z } from "zod";
import { authorizationDetailsTypes } from "./authorization-details-types.ts";
import { paymentMandateSchema } from "./payment-mandate.wire.ts";

const metadata = authorizationDetailsTypes["payment_mandate_v1"];
if (!metadata) throw new Error("payment_mandate_v1 is not described");
const published = z.fromJSONSchema(metadata.schema as Parameters<typeof z.fromJSONSchema>[0]);
const base = { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 10_000 };
const monthly = { period: "month", alignment: "calendar", max_amount: 100 };

describe("the published schema of payment_mandate_v1 (OAuth 2.0 RAR Metadata §5)", () => {
  test("accepts its own examples, and restricts type to the type's identifier", () => {
    for (const example of metadata.examples) {
      expect(published.safeParse(example).success).toBe(true);
      expect(paymentMandateSchema.safeParse(example).success).toBe(true);
    }
    expect(metadata.schema).toMatchObject({ properties: { type: { const: "payment_mandate_v1" } } });
  });

  test.each<[string, object, boolean]>([
    ["only the required members", {}, true],
    ["an identifier", { identifier: "mdt_1" }, true],
    ["another type", { type: "payment_mandate_v2" }, false],
    ["no action", { actions: [] }, false],
    ["an unknown action", { actions: ["refund"] }, false],
    ["no currency", { currency: undefined }, false],
    ["a currency in lower case", { currency: "eur" }, false],
    ["an amount of 0", { max_total_amount: 0 }, false],
    ["an amount over the limit", { max_total_amount: 100_000_000_000 }, false],
    ["a fraction", { max_total_amount: 1.5 }, false],
    ["an amount as text", { max_total_amount: "1" }, false],
    ["an unknown period", { periodic_limits: [{ ...monthly, period: "hour" }] }, false],
    ["six periodic limits", { periodic_limits: Array.from({ length: 6 }, () => monthly) }, false],
    ["a payee with id and category", { payees: [{ id: "mch_1", category: "5411" }] }, false],
    ["a category of three digits", { payees: [{ category: "541" }] }, false],
    ["an unknown presence", { payer_presence: ["asleep"] }, false],
    ["an unknown refund policy", { refund_policy: "keep" }, false],
    ["a purpose of 141 characters", { purpose: "p".repeat(141) }, false],
  ])("agrees with the validating schema on %s", (_title, fields, isSound) => {
    const details = JSON.parse(JSON.stringify({ ...base, ...fields }));
    expect([published.safeParse(details).success, paymentMandateSchema.safeParse(details).success]).toEqual([
      isSound,
      isSound,
    ]);
  });

  test("describes lists and combinations: caps, distinct values, lengths", () => {
    expect(metadata.schema).toMatchObject({
      anyOf: [
        { required: ["max_amount_per_payment"] },
        { required: ["max_total_amount"] },
        { required: ["periodic_limits"] },
      ],
      additionalProperties: false,
      properties: {
        actions: { uniqueItems: true },
        payer_presence: { uniqueItems: true },
        valid_until: { format: "date-time" },
        purpose: { maxLength: 140 },
        periodic_limits: {
          maxItems: 5,
          items: { anyOf: [{ required: ["max_amount"] }, { required: ["max_payments"] }] },
        },
      },
    });
  });
});
