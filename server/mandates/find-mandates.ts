import {
  findMandateTimeline,
  findMerchantNames,
  findPayerMandates,
  type TimelineEntry,
} from "../data/mandate-views.ts";
import type { Deps } from "../deps.ts";
import { fromJson } from "./granted-details.ts";
import type { GrantedMandateDetails } from "./payment-mandate.wire.ts";
import { effectiveState, leftUnder } from "./rules/limits.ts";
import { periodAt } from "./rules/periods.ts";
import { type Alignment, type Counters, limitKey, noUse, type Period } from "./rules/terms.ts";
import type { MandateState } from "./rules/transitions.ts";
import { mandateNotFound } from "./transition-mandate.ts";

/** One limit as a bar: amounts in minor units of the mandate's currency, or counts of payments. */
export type LimitView = {
  /** `per_payment`, `total`, `total_count`, `month:calendar`, `month:calendar:count` */
  key: string;
  kind: "per_payment" | "total" | "total_count" | "period" | "period_count";
  period: Period | null;
  alignment: Alignment | null;
  capMinor: bigint;
  usedMinor: bigint;
  heldMinor: bigint;
  /** 0 where a cap was narrowed below what is used */
  leftMinor: bigint;
  resetsAt: Date | null;
};

export type MandateView = {
  id: string;
  grantId: string;
  state: MandateState;
  version: number;
  client: { id: string; name: string; isVerified: boolean };
  purpose: string;
  details: GrantedMandateDetails;
  currency: string;
  limits: LimitView[];
  /** empty: any registered merchant */
  payees: ({ id: string; name: string } | { category: string })[];
  timeZone: string;
  stepUpAboveMinor: bigint | null;
  budgetVisible: boolean;
  validFrom: Date;
  validUntil: Date;
  paymentMethod: { id: string; label: string } | null;
  suspendedBy: string[];
  createdAt: Date;
  endedAt: Date | null;
};

/** Everything that the payer granted, newest first. */
export const listPayerMandates = (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { payerId: string },
): Promise<MandateView[]> => findViews(deps, { payerId: input.payerId, mandateId: null });

/** @throws DomainError not_found for an unknown id and another payer's mandate alike. */
export const getPayerMandate = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { payerId: string; mandateId: string },
): Promise<MandateView & { timeline: TimelineEntry[] }> => {
  const view = await findMandateView(deps, input);
  if (!view) throw mandateNotFound();
  return { ...view, timeline: await findMandateTimeline(deps.db.sql, view.id, 100) };
};

/** @returns null for an unknown id and another payer's mandate alike. */
export const findMandateView = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { payerId: string; mandateId: string },
): Promise<MandateView | null> => (await findViews(deps, input))[0] ?? null;

type Row = Awaited<ReturnType<typeof findPayerMandates>>[number];

const findViews = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { payerId: string; mandateId: string | null },
): Promise<MandateView[]> => {
  const at = await deps.businessClock.now();
  const rows = await findPayerMandates(deps.db, { ...input, at });
  const names = await findMerchantNames(deps.db, [...new Set(rows.flatMap((row) => row.payeeMerchantIds))]);
  return rows.map((row) => toView(row, names, at));
};

const toView = (row: Row, names: ReadonlyMap<string, string>, at: Date): MandateView => ({
  id: row.id,
  grantId: row.grantId,
  state: effectiveState(row.state, row.validUntil, at),
  version: row.version,
  client: row.client,
  purpose: row.purpose,
  details: fromJson(row.details),
  currency: row.currency,
  limits: toLimits(row, at),
  payees: [
    ...row.payeeMerchantIds.map((id) => ({ id, name: names.get(id) ?? id })),
    ...row.payeeCategories.map((category) => ({ category })),
  ],
  timeZone: row.timeZone,
  stepUpAboveMinor: row.stepUpAbove,
  budgetVisible: row.budgetVisible,
  validFrom: row.validFrom,
  validUntil: row.validUntil,
  paymentMethod:
    row.paymentMethod && !row.paymentMethod.removedAt
      ? { id: row.paymentMethod.id, label: row.paymentMethod.label }
      : null,
  suspendedBy: row.suspendedBy,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
});

const toLimits = (row: Row, at: Date): LimitView[] => {
  const lifetime = { period: null, alignment: null, resetsAt: null };
  const limits: LimitView[] = [];
  if (row.maxAmountPerPayment !== null) {
    limits.push({ key: "per_payment", kind: "per_payment", ...lifetime, ...amounts(row.maxAmountPerPayment, noUse) });
  }
  limits.push(...row.periodicLimits.flatMap((limit) => toPeriodLimits(row, limit, at)));
  if (row.maxTotalAmount !== null)
    limits.push({ key: "total", kind: "total", ...lifetime, ...amounts(row.maxTotalAmount, row) });
  if (row.maxPayments !== null) {
    limits.push({ key: "total_count", kind: "total_count", ...lifetime, ...counts(row.maxPayments, row) });
  }
  return limits;
};

const toPeriodLimits = (row: Row, limit: Row["periodicLimits"][number], at: Date): LimitView[] => {
  const key = limitKey(limit);
  // Before the window opens, the first period is the one that is shown.
  const { startsAt, endsAt } = periodAt(limit, row.timeZone, row.validFrom, at < row.validFrom ? row.validFrom : at);
  const counters =
    row.periods.find((period) => period.limitKey === key && period.startsAt.getTime() === startsAt.getTime()) ?? noUse;
  const { period, alignment } = limit;
  const common = { period, alignment, resetsAt: endsAt };
  return [
    ...(limit.maxAmount === null
      ? []
      : [{ key, kind: "period" as const, ...common, ...amounts(limit.maxAmount, counters) }]),
    ...(limit.maxPayments === null
      ? []
      : [{ key: `${key}:count`, kind: "period_count" as const, ...common, ...counts(limit.maxPayments, counters) }]),
  ];
};

const bar = (capMinor: bigint, usedMinor: bigint, heldMinor: bigint) => ({
  capMinor,
  usedMinor,
  heldMinor,
  leftMinor: leftUnder(capMinor, usedMinor, heldMinor),
});
const amounts = (cap: bigint, counters: Counters) => bar(cap, counters.usedAmount, counters.heldAmount);
const counts = (cap: bigint, counters: Counters) => bar(cap, counters.usedCount, counters.heldCount);
