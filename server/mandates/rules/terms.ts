/** The terms of a mandate (payment_mandate_v1 as granted), with amounts in minor units. */
export type MandateTerms = {
  actions: readonly string[];
  currency: string;
  maxAmountPerPayment: bigint | null;
  maxTotalAmount: bigint | null;
  maxPayments: bigint | null;
  periodicLimits: readonly PeriodicLimit[];
  timeZone: string;
  payeeMerchantIds: readonly string[];
  payeeCategories: readonly string[];
  /** half-open: `validUntil` itself is outside */
  validFrom: Date;
  validUntil: Date;
  payerPresence: readonly string[];
  stepUpAbove: bigint | null;
  refundPolicy: string;
};

export type Period = "day" | "week" | "month" | "quarter" | "year";
export type Alignment = "calendar" | "consent";

type PeriodicLimit = {
  period: Period;
  alignment: Alignment;
  maxAmount: bigint | null;
  maxPayments: bigint | null;
};

/** Used: captured. Held: reserved and not yet settled. */
export type Counters = { usedAmount: bigint; heldAmount: bigint; usedCount: bigint; heldCount: bigint };

export const noUse: Counters = { usedAmount: 0n, heldAmount: 0n, usedCount: 0n, heldCount: 0n };

/** Identifies a periodic limit within its mandate: at most one per period and alignment. */
export const limitKey = (limit: { period: string; alignment: string }): string => `${limit.period}:${limit.alignment}`;
