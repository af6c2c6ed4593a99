import type { Exact } from "../exact/exact.ts";
import type { CurrencyTerms, Meter, PlanRef, TaxRate, Usage } from "../plans/terms.ts";
import type { Period } from "../usage-period.ts";

/** The events behind a line. `setHash`: lower-case hex SHA-256 of the sorted event ids, one per line. */
export type EventSet = {
  count: bigint;
  setHash: string;
  asOf: Date;
  /** for late events: only those received at this time or later */
  receivedFrom?: Date | null;
  /** an active mandate counts once in each of these months; default: once in the line's period */
  months?: readonly Period[];
};

export type TaxBehaviour = "exclusive" | "inclusive";
export type SupplyTax = TaxRate & { behaviour: TaxBehaviour };

type Events = ReadonlyMap<Meter, EventSet>;

/**
 * Part of a period in which one plan applied. `days`: prorates the flat fee and the minimum. `earlier`: the parts
 * before it, in time order, with which it shares free units, tiers and the maximum.
 */
export type PeriodPart = {
  plan: PlanRef;
  terms: CurrencyTerms;
  period: Period;
  days: { used: number; of: number };
  usage: Usage;
  earlier?: readonly PeriodPart[];
  events?: Events;
};

/**
 * Late events of an earlier period, priced with that period's plan version. In a correction, `trueExact` is the price
 * of the period's usage including the late events, `pricedExact` is the sum of `pricedExact` of the meter's billed
 * lines for the period, and `quantity` is the quantity of the late events.
 */
export type LatePeriod = {
  period: Period;
  plan: PlanRef;
  /** the minimum of that period, prorated and rounded as it was billed */
  minimum: bigint;
  /**
   * the maximum minus the fees of the earlier parts of the period; negative if these fees exceed the maximum. `before`:
   * with the fees as they were billed. `after`: with the fees after late usage of the earlier parts is added
   */
  maximum: { before: Exact; after: Exact } | null;
  /** the sum of `pricedExact` of the flat, usage and late lines that were billed for that period */
  pricedExact: Exact;
  /** the tax of that period's supply; default: the invoice's tax */
  tax?: SupplyTax;
  corrections: readonly { meter: Meter; trueExact: Exact; pricedExact: Exact; quantity: bigint; events?: EventSet }[];
};

/**
 * The fees of refunded charges. `exact` is negative for a credit, and positive if the refunds failed after their fees
 * were credited. `period`, `plan` and `tax` are those of the original charge; without `tax`, the invoice's tax applies.
 * `isCorrection`: reverses the credits for fees whose invoice became void; `exact` then can have any sign.
 */
export type RefundedFee = {
  meter: Meter;
  plan?: PlanRef;
  period: Period;
  exact: Exact;
  quantity: bigint;
  tax?: SupplyTax;
  events?: EventSet;
  isCorrection?: boolean;
};

/**
 * A credit of a void invoice that the next invoice repeats. `replaces`: the line of the void invoice. `exact` includes
 * tax if `tax` is inclusive, and is positive only for the fees of failed refunds.
 */
export type VoidedCredit = Pick<
  ComputedLine,
  "meter" | "description" | "period" | "plan" | "quantity" | "exact" | "pricedExact" | "events"
> & { replaces: string; kind: "usage" | "late" | "refund"; tax: SupplyTax };

/**
 * `exact` is negative. `period`: the month of the component's frozen days. `detail`: the text after the component in
 * the line's description. `tax`: of the original supply; default: the invoice's tax.
 */
export type SlaCredit = { component: string; detail?: string; period: Period; exact: Exact; tax?: SupplyTax };

/** Exactly one of `percent` and `amountMinor` is set. `meters`: the meters of a line-bound coupon. */
export type AppliedCoupon = {
  code: string;
  percent: Exact | null;
  amountMinor: bigint | null;
  meters: readonly Meter[] | null;
};

export type PrepaidGrant = {
  id: string;
  kind: "prepaid" | "promotional";
  remaining: bigint;
  priority: number;
  expiresAt: Date | null;
  grantedAt: Date;
};

export type InvoiceInput = {
  currency: string;
  tax: SupplyTax;
  /** in time order */
  parts: readonly PeriodPart[];
  late: readonly LatePeriod[];
  refunds: readonly RefundedFee[];
  slaCredits: readonly SlaCredit[];
  voided?: readonly VoidedCredit[];
  /** in the order in which they were applied */
  coupons: readonly AppliedCoupon[];
  creditBalance: bigint;
  /** without expired grants, in any order */
  prepaid: readonly PrepaidGrant[];
};

export type LineKind = "flat" | "usage" | "late" | "refund" | "proration" | "true_up" | "sla_credit";

/**
 * `amount` is `exact` rounded once. `net` is `amount − discount`; if prices include tax, also minus the tax.
 * `pricedExact` is the price of the line's usage. It differs from `exact` in two cases: the minimum or maximum of the
 * period changes the cost of the usage, or only one of the supply's prices and the invoice's prices includes tax. Store
 * `pricedExact`, because later corrections subtract it.
 */
export type ComputedLine = {
  kind: LineKind;
  meter: Meter | null;
  description: string;
  period: Period;
  plan: PlanRef | null;
  quantity: bigint;
  exact: Exact;
  pricedExact: Exact;
  amount: bigint;
  discount: bigint;
  net: bigint;
  tax: TaxRate;
  events: EventSet | null;
  /** the line of a void invoice whose credit it repeats */
  replaces?: string;
};

/** `coupon` is null for the plan's maximum. */
export type Discount = { coupon: string | null; amount: bigint };
export type TaxTotal = TaxRate & { base: bigint; amount: bigint };

/** All amounts are in minor units. `total` is before credit balance and prepaid grants, and never negative. */
export type ComputedInvoice = {
  currency: string;
  lines: readonly ComputedLine[];
  discounts: readonly Discount[];
  taxes: readonly TaxTotal[];
  subtotal: bigint;
  discount: bigint;
  tax: bigint;
  total: bigint;
  creditApplied: bigint;
  prepaidApplied: readonly { id: string; amount: bigint }[];
  amountDue: bigint;
  /** the amount that a negative total adds to the credit balance */
  toCreditBalance: bigint;
};
