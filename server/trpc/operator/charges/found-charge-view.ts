import type { FoundCharge } from "../../../data/operators/charge-search.ts";

/** Plain JSON for the operator pages. */
export const toFoundCharge = ({ amount, amountRefunded, createdAt, merchantId, merchantName, ...c }: FoundCharge) => ({
  ...c,
  amountMinor: Number(amount),
  amountRefundedMinor: Number(amountRefunded),
  createdAt: createdAt.toISOString(),
  merchant: { id: merchantId, name: merchantName },
});

export type OperatorFoundCharge = ReturnType<typeof toFoundCharge>;
