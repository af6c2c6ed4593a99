import { expect, test } from "vitest";
import type { WalletCharge } from "#server/trpc/wallet/views.ts";
import { walletAttention } from "./wallet-attention.ts";

const reader = { locale: "en-GB", timeZone: "UTC" };
const none = { mandates: [], hasMore: false };

const makeCharge = (id: string, own: Partial<WalletCharge>): WalletCharge => ({
  id,
  state: "declined",
  amountMinor: 1_250,
  amountCapturedMinor: 0,
  amountRefundedMinor: 0,
  currency: "EUR",
  reference: null,
  declineCode: "insufficient_funds",
  createdAt: "2026-11-21T12:00:00Z",
  merchant: { id: "mch_1", name: "Fresh Market" },
  client: { id: "cl_1", name: "Grocer Bot" },
  mandate: { id: "mdt_1", purpose: "Groceries" },
  ...own,
});

const keysOf = (failed: readonly WalletCharge[]) =>
  walletAttention({ approvals: [], near: none, ending: none, failed }, reader).map(({ key }) => key);

test("only payments that the bank declined need attention", () => {
  const others = [
    ...Array.from({ length: 20 }, (_, index) =>
      makeCharge(`expired-${index}`, { state: "expired", declineCode: null }),
    ),
    makeCharge("by-payer", { declineCode: "declined_by_payer" }),
  ];
  expect(keysOf([...others, makeCharge("by-bank", {})])).toEqual(["by-bank"]);
});

test("at most three declined payments have their own item, and one item links to the others", () => {
  const failed = ["a", "b", "c", "d"].map((id) => makeCharge(id, {}));
  expect(keysOf(failed.slice(0, 3))).toEqual(["a", "b", "c"]);
  expect(keysOf(failed)).toEqual(["a", "b", "c", "failed"]);
});
