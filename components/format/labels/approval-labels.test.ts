import { describe, expect, test } from "vitest";
import type { WalletApproval } from "#server/trpc/wallet/views.ts";
import { approvalBlocker, approvalOutcome, approvalTitle, isApprovalOpen } from "./approval-labels.ts";

const reader = { locale: "en-GB", timeZone: "UTC" };
const approval = (fields: Partial<WalletApproval>): WalletApproval => ({
  id: "chg_1",
  state: "requires_action",
  amountMinor: 4_500,
  amountRefundedMinor: 0,
  currency: "EUR",
  reference: null,
  declineCode: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  merchant: { id: "mch_1", name: "Fresh Market" },
  client: { id: "cl_1", name: "Grocer Bot" },
  mandate: { id: "mdt_1", purpose: "Weekly groceries" },
  standing: "waiting",
  expiresAt: null,
  bankUrl: null,
  isCapturedLater: false,
  isPayerAway: false,
  hasLapsedAtBank: false,
  ...fields,
});
const active = { state: "active" } as const;
const told = (fields: Partial<WalletApproval>, mandate: Parameters<typeof approvalOutcome>[1] = active) =>
  approvalOutcome(approval(fields), mandate)?.text;

describe("what the approval page says", () => {
  test("asks while it waits, here or at the bank, and asked once it is over", () => {
    expect(approvalTitle(approval({}), reader)).toBe("Fresh Market asks for €45.00");
    expect(isApprovalOpen(approval({ standing: "approved", bankUrl: "https://bank.example" }))).toBe(true);
    expect(approvalTitle(approval({ standing: "declined" }), reader)).toBe("Fresh Market asked for €45.00");
    expect(told({})).toBeUndefined();
  });

  test("never says that money moved where none did, nor the other way round", () => {
    const states = [
      "submitted",
      "processing",
      "unknown",
      "authorized",
      "requires_action",
      "declined",
      "voided",
    ] as const;
    for (const state of states) expect(told({ standing: "approved", state })).not.toContain("was paid");
    expect(told({ standing: "approved", state: "succeeded" })).toBe("You approved it, and it was paid.");
    for (const standing of ["declined", "expired", "withdrawn"] as const) {
      expect(told({ standing })).toContain("Nothing was charged");
    }
  });

  test("tells why the processor declined what the payer approved", () => {
    const declined = { standing: "approved", state: "declined" } as const;
    expect(told({ ...declined, declineCode: "insufficient_funds" })).toContain("enough money on the payment method");
    expect(told({ ...declined, declineCode: "not_submitted" })).toContain("never reached the bank");
  });

  test("tells who ended it before the payer answered", () => {
    expect(told({ standing: "withdrawn" })).toContain("Fresh Market called it off");
    expect(told({ standing: "withdrawn" }, { state: "revoked" })).toContain("mandate was stopped");
  });

  test("of one that lapsed at the bank it asks for nothing, and says nothing of money", () => {
    for (const standing of [null, "approved"] as const) {
      const lapsed = { standing, hasLapsedAtBank: true };
      expect(told(lapsed)).toContain("15 minutes to confirm it at your bank are over");
      expect(isApprovalOpen(approval(lapsed))).toBe(false);
    }
  });

  test("says what is in the way, and whether the payer can do something about it", () => {
    const open = {
      merchant: { id: "mch_1", name: "Fresh Market" },
      isMerchantSuspended: false,
      paymentMethod: { label: "Visa ending 4242", isRemoved: false },
    };
    const running = { state: "active", suspendedBy: [] } as const;
    const obstacle = (fields: Partial<typeof open>, mandate: Partial<Parameters<typeof approvalBlocker>[1]> = {}) =>
      approvalBlocker({ ...open, ...fields }, { ...running, suspendedBy: [], ...mandate });
    expect(obstacle({})).toBeNull();
    expect(obstacle({}, { state: "suspended", suspendedBy: ["payer"] })).toContain("Resume it");
    expect(obstacle({}, { state: "suspended", suspendedBy: ["payer", "operator"] })).toContain(
      "Paygrant has suspended",
    );
    expect(obstacle({}, { state: "expired" })).toContain("has ended");
    expect(obstacle({ isMerchantSuspended: true })).toBe("Fresh Market may not take new payments for now.");
    expect(obstacle({ paymentMethod: { label: "Visa ending 4242", isRemoved: true } })).toContain("is gone");
  });
});
