import { describe, expect, it } from "vitest";
import { readGrantedMandate } from "./demo-granted.ts";

describe("the limits granted to the demo's agent", () => {
  const mandate = {
    type: "payment_mandate_v1" as const,
    identifier: "mdt_1",
    actions: [],
    currency: "EUR",
    maxAmountPerPayment: 1_500,
    periodicLimits: [{ period: "month" as const, alignment: "calendar" as const, maxAmount: 6_000 }],
  };

  it("are read from the token response, not from the request", () => {
    expect(readGrantedMandate({ mandates: [mandate] })).toEqual({
      mandateId: "mdt_1",
      granted: { perPaymentMinor: 1_500, perMonthMinor: 6_000 },
    });
  });

  it("can't be read if the response contains no mandate", () => {
    expect(() => readGrantedMandate({ mandates: [] })).toThrow("contains no mandate");
  });
});
