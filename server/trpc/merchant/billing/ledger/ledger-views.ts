import type { CreditWithUses } from "../../../../billing/credits/list-credits-with-uses.ts";
import type { StatementEntry } from "../../../../billing/ledger/read-statement-page.ts";
import type { LedgerBalanceRow } from "../../../../data/billing/ledger/entries.ts";

export const toCredit = (credit: CreditWithUses) => ({
  id: credit.id,
  kind: credit.kind,
  currency: credit.currency,
  grantedMinor: Number(credit.granted),
  remainingMinor: Number(credit.remaining),
  grantedAt: credit.grantedAt.toISOString(),
  expiresAt: credit.expiresAt?.toISOString() ?? null,
  hasMoreUses: credit.hasMoreUses,
  uses: credit.uses.map(({ amount, usedAt, invoiceId, invoiceNumber }) => ({
    amountMinor: Number(amount),
    usedAt: usedAt.toISOString(),
    invoiceId,
    invoiceNumber,
  })),
});

export const toLedgerEntry = (entry: StatementEntry) => ({
  id: entry.id,
  account: entry.account,
  currency: entry.currency,
  amountMinor: Number(entry.amount),
  balanceMinor: Number(entry.balance),
  state: entry.state,
  effectiveAt: entry.effectiveAt.toISOString(),
  source: { type: entry.sourceType, id: entry.sourceId },
  invoice: entry.invoice,
});

export const toLedgerBalance = ({ posted, pending, ...of }: LedgerBalanceRow) => ({
  ...of,
  postedMinor: Number(posted),
  pendingMinor: Number(pending),
});

export type MerchantCredit = ReturnType<typeof toCredit>;
export type MerchantLedgerEntry = ReturnType<typeof toLedgerEntry>;
export type MerchantLedgerBalance = ReturnType<typeof toLedgerBalance>;
