import { expect, test } from "vitest";
import { type PaymentAct, suspensionStops } from "./suspension.ts";

const rows: Record<PaymentAct, boolean> = {
  verify: true,
  charge: true,
  approve: true,
  capture: false,
  void: false,
  refund: false,
};

test.each(Object.entries(rows))(
  "a suspended merchant's %s is stopped: %s (docs/spec/payments.md, Suspended merchants)",
  (act, expected) => {
    expect(suspensionStops(act as PaymentAct)).toBe(expected);
  },
);
