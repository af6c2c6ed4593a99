import { describe, expect, it } from "vitest";
import { readGrantedMandate } from "./demo-granted.ts";
import type { Exchange } from "./demo-wire.ts";

const answering = (mandate: object): Exchange => ({
  id: "1",
  title: "",
  method: "POST",
  path: "/oauth/token",
  status: 200,
  milliseconds: 1,
  requestHeaders: [],
  requestBody: [],
  responseHeaders: [],
  responseBody: [["authorization_details", [mandate]]],
});

describe("the limits granted to the demo's agent (RFC 9396 §7)", () => {
  const requested = {
    identifier: "mdt_1",
    max_amount_per_payment: 2_000,
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 6_000 }],
  };

  it("come from the token response, not from the request", () => {
    const lowered = { ...requested, max_amount_per_payment: 1_500 };
    expect(readGrantedMandate(answering(lowered))).toEqual({
      mandateId: "mdt_1",
      granted: { perPaymentMinor: 1_500, perMonthMinor: 6_000 },
    });
  });

  it("cause an error if the response contains no mandate", () => {
    expect(() => readGrantedMandate(answering({}))).toThrow("contains no mandate");
  });
});
