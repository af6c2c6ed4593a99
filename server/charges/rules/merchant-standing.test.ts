import { expect, test } from "vitest";
import { inactivityStops, type PaymentAct } from "./merchant-standing.ts";

const rows: Record<PaymentAct, boolean> = {
  verify: true,
  charge: true,
  approve: true,
  capture: false,
  void: false,
  refund: false,
};

test.each(Object.entries(rows))(
  "while the merchant isn't active, the request %s is refused: %s (docs/spec/payments.md, Inactive merchants)",
  (act, expected) => {
    expect(inactivityStops(act as PaymentAct)).toBe(expected);
  },
);
