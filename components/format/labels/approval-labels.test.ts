import { describe, expect, test } from "vitest";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletApproval } from "#server/trpc/wallet/views.ts";
import { approvalBlocker, approvalOutcome, approvalTitle, isApprovalOpen } from "./approval-labels.ts";

const t = translator("en-GB", "approvals");
const texts = { approvals: t, activity: translator("en-GB", "activity") };
const reader = { locale: "en-GB", timeZone: "UTC" };
const approval = (fields: Partial<WalletApproval>): WalletApproval => ({
  id: "chg_1",
  state: "requires_action",
  amountMinor: 4_500,
  amountCapturedMinor: 0,
  amountRefundedMinor: 0,
  currency: "EUR",
  reference: null,
  declineCode: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  merchant: { id: "mch_1", name: "Fresh Market" },
  client: { id: "cl_1", name: "Grocer Bot" },
  mandate: { id: "mdt_1", purpose: "Weekly groceries" },
  approvalState: "waiting",
  expiresAt: null,
  bankUrl: null,
  isCapturedLater: false,
  isPayerAbsent: false,
  hasExpiredAtBank: false,
  ...fields,
});
const active = { state: "active" } as const;
const outcomeText = (fields: Partial<WalletApproval>, mandate: Parameters<typeof approvalOutcome>[1] = active) =>
  approvalOutcome(approval(fields), mandate, texts)?.text;

describe("the text of the approval page", () => {
  test("the title uses the present tense while the payer can still act, here or at the bank", () => {
    expect(approvalTitle(approval({}), reader, t)).toBe("Fresh Market asks for €45.00");
    expect(isApprovalOpen(approval({ approvalState: "approved", bankUrl: "https://bank.example" }))).toBe(true);
    expect(approvalTitle(approval({ approvalState: "declined" }), reader, t)).toBe("Fresh Market asked for €45.00");
    expect(outcomeText({})).toBeUndefined();
  });

  test("says that the payment was paid only after it succeeded", () => {
    const states = [
      "submitted",
      "processing",
      "unknown",
      "authorized",
      "requires_action",
      "declined",
      "voided",
    ] as const;
    for (const state of states) expect(outcomeText({ approvalState: "approved", state })).not.toContain("was paid");
    expect(outcomeText({ approvalState: "approved", state: "succeeded" })).toBe("You approved it, and it was paid.");
    for (const approvalState of ["declined", "expired", "withdrawn"] as const) {
      expect(outcomeText({ approvalState })).toContain("Nothing was charged");
    }
  });

  test("says why the processor declined an approved payment", () => {
    const declined = { approvalState: "approved", state: "declined" } as const;
    expect(outcomeText({ ...declined, declineCode: "insufficient_funds" })).toContain("had insufficient funds");
    expect(outcomeText({ ...declined, declineCode: "not_submitted" })).toContain("wasn’t sent to the bank");
  });

  test("says who canceled the payment before the payer decided, if this is known", () => {
    expect(outcomeText({ approvalState: "withdrawn" })).toContain("Fresh Market canceled it");
    expect(outcomeText({ approvalState: "withdrawn" }, { state: "revoked" })).toContain("It was canceled");
  });

  test("a payment that expired at the bank needs no action from the payer", () => {
    for (const approvalState of [null, "approved"] as const) {
      const expired = { approvalState, hasExpiredAtBank: true };
      expect(outcomeText(expired)).toContain("15 minutes for confirming the payment at your bank are over");
      expect(isApprovalOpen(approval(expired))).toBe(false);
    }
  });

  test("says what blocks the approval, and what the payer can do", () => {
    const open = {
      merchant: { id: "mch_1", name: "Fresh Market" },
      isMerchantInactive: false,
      paymentMethod: { label: "Visa ending in 4242", isRemoved: false },
    };
    const running = { state: "active", suspendedBy: [] } as const;
    const blocker = (fields: Partial<typeof open>, mandate: Partial<Parameters<typeof approvalBlocker>[1]> = {}) =>
      approvalBlocker({ ...open, ...fields }, { ...running, suspendedBy: [], ...mandate }, t);
    expect(blocker({})).toBeNull();
    expect(blocker({}, { state: "suspended", suspendedBy: ["payer"] })).toContain("Resume it");
    expect(blocker({}, { state: "suspended", suspendedBy: ["payer", "operator"] })).toContain("Paygrant has paused");
    expect(blocker({}, { state: "expired" })).toContain("has ended");
    expect(blocker({ isMerchantInactive: true })).toBe("Fresh Market can’t take new payments for now.");
    expect(blocker({ paymentMethod: { label: "Visa ending in 4242", isRemoved: true } })).toContain("was removed");
  });
});
