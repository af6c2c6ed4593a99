import { expect, it } from "vitest";
import { describePending, isPendingPayment } from "./payment-labels.ts";

const paid = { state: "captured", pendingAct: null, amountRefundingMinor: 0 } as const;

it("a payment is pending while its own result, an action or a refund is in progress", () => {
  expect(isPendingPayment(paid)).toBe(false);
  expect(isPendingPayment({ ...paid, state: "authorized" })).toBe(false);
  expect(isPendingPayment({ ...paid, state: "processing" })).toBe(true);
  expect(isPendingPayment({ ...paid, state: "authorized", pendingAct: "void" })).toBe(true);
  expect(isPendingPayment({ ...paid, amountRefundingMinor: 500 })).toBe(true);
});

it("names the action or the refund that is in progress", () => {
  expect(describePending({ ...paid, state: "authorized", pendingAct: "capture" })).toMatch(
    /^The capture is in progress/,
  );
  expect(describePending({ ...paid, amountRefundingMinor: 500 })).toMatch(/^The refund is in progress/);
  expect(describePending({ ...paid, state: "processing" })).toBeNull();
});
