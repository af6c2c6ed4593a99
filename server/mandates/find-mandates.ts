import { z } from "zod";
import { listGrantParties } from "../data/directory/client-parties.ts";
import {
  findMandateTimeline,
  findMandateVersions,
  findMerchantNames,
  findPayerMandates,
  type TimelineEntry,
} from "../data/mandates/mandate-views.ts";
import {
  countLiveMandatesByClient,
  findLiveMandatesByMethod,
  findOtherLiveMandatesOfClient,
  findPayerMandateIds,
  findPayerMandateNames,
  getPayerMandateOverview,
  type MandateName,
  type MandateShow,
  type MethodUse,
} from "../data/mandates/payer-mandates.ts";
import type { Deps } from "../deps/deps.ts";
import { clientDomain } from "../kernel/text/verified-domain.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { fromJson } from "./details/granted-details.ts";
import type { GrantedMandateDetails } from "./details/payment-mandate.wire.ts";
import { mandateNotFound } from "./lifecycle/transition-mandate.ts";
import { nearPercent } from "./rules/approaching.ts";
import { effectiveState, leftUnder } from "./rules/limits.ts";
import { periodAt } from "./rules/periods.ts";
import { type Alignment, type Counters, limitKey, noUse, type Period } from "./rules/terms.ts";
import type { MandateState } from "./rules/transitions.ts";
import { diffVersions, type VersionChange } from "./rules/version-changes.ts";

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
  /** 0 if a cap was narrowed below the used and held amounts */
  leftMinor: bigint;
  /** null for a limit without a period, and if the mandate ends at or before the reset */
  resetsAt: Date | null;
};

export type MandateView = {
  id: string;
  grantId: string;
  state: MandateState;
  version: number;
  /**
   * `verifiedDomain`: the domain under which the client is verified now; null if it isn't verified
   * (docs/spec/portal.md, Consent)
   */
  client: { id: string; name: string; verifiedDomain: string | null };
  /** the number of the payer's live mandates with this client, including this one if it is live */
  liveOfClient: number;
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

type ViewDeps = Pick<Deps, "db" | "businessClock">;

/** A page of the payer's mandates, newest first. */
export const listPayerMandates = async (
  deps: ViewDeps,
  input: { payerId: string; show: MandateShow; search?: string; startingAfter?: string; limit: number },
): Promise<{ mandates: MandateView[]; hasMore: boolean }> => {
  const { payerId, show, limit } = input;
  const at = await deps.businessClock.now();
  const ids = await findPayerMandateIds(deps.db.sql, {
    payerId,
    show,
    limit,
    at,
    search: input.search ?? null,
    startingAfter: input.startingAfter ?? null,
  });
  const mandates = await findViews(deps, { payerId, mandateIds: ids.slice(0, limit) });
  return { mandates, hasMore: ids.length > limit };
};

/** The wallet's home lists mandates that end within this time. */
const soonSeconds = 14 * 86_400;

/**
 * The overview of the wallet's home: the numbers of active and suspended mandates, and three lists of at most `limit`
 * mandates: the newest, those near a limit, and those near their end.
 */
export const summarizePayerMandates = async (
  deps: ViewDeps,
  { payerId, limit }: { payerId: string; limit: number },
) => {
  const at = await deps.businessClock.now();
  const { active, suspended, ...ids } = await getPayerMandateOverview(deps.db.sql, {
    payerId,
    at,
    nearPercent: Number(nearPercent),
    limit: limit + 1,
    endingBefore: addSeconds(at, soonSeconds),
  });
  const mandateIds = [...new Set([ids.newest, ids.near, ids.ending].flatMap((each) => each.slice(0, limit)))];
  const views = new Map((await findViews(deps, { payerId, mandateIds })).map((view) => [view.id, view]));
  const some = (of: readonly string[]) => ({
    mandates: of.slice(0, limit).flatMap((id) => views.get(id) ?? []),
    hasMore: of.length > limit,
  });
  return { active, suspended, newest: some(ids.newest), near: some(ids.near), ending: some(ids.ending) };
};

/** A longer list would be unreadable. The search finds the other mandates. */
const maxNames = 50;

/** The newest mandates for a selection list, including the selected one. */
export const listPayerMandateNames = (
  { db }: Pick<Deps, "db">,
  { payerId, including }: { payerId: string; including?: string | undefined },
): Promise<MandateName[]> => findPayerMandateNames(db.sql, { payerId, including: including ?? null, limit: maxNames });

/** @returns the live mandates per payment method of the payer; unused methods are absent. */
export const listMandatesOfMethods = async (
  { db, businessClock }: ViewDeps,
  { payerId, methodIds }: { payerId: string; methodIds: readonly string[] },
): Promise<Map<string, MethodUse>> =>
  findLiveMandatesByMethod(db.sql, { payerId, ids: methodIds, at: await businessClock.now() });

/** @throws DomainError not_found, also for another payer's mandate. */
export const getPayerMandate = async (
  deps: ViewDeps,
  input: { payerId: string; mandateId: string },
): Promise<MandateView & { timeline: (TimelineEntry & { changes: VersionChange[] })[] }> => {
  const view = await findMandateView(deps, input);
  if (!view) throw mandateNotFound();
  const [entries, rows] = await Promise.all([
    findMandateTimeline(deps.db.sql, view.id, maxEntries),
    findMandateVersions(deps.db.sql, view.id, maxEntries),
  ]);
  const versions = new Map(rows.map(({ version, details }) => [version, fromJson(details)]));
  const timeline = entries.map((entry) => ({ ...entry, changes: changesOf(entry, versions) }));
  return { ...view, timeline };
};

const maxEntries = 100;
const versionedEntry = z.object({ version: z.int() });

/** The changes that an entry made to the terms, compared with the previous version. */
const changesOf = (
  { action, data }: TimelineEntry,
  versions: ReadonlyMap<number, GrantedMandateDetails>,
): VersionChange[] => {
  const version = action.startsWith("mandate.") ? versionedEntry.safeParse(data).data?.version : undefined;
  const [before, after] = version === undefined ? [] : [versions.get(version - 1), versions.get(version)];
  return before && after ? diffVersions(before, after) : [];
};

/** The payer's other live mandates with the same client, newest first: Stop can end them together. */
export const listOthersOfClient = async (
  deps: ViewDeps,
  { payerId, mandateId, limit }: { payerId: string; mandateId: string; limit: number },
): Promise<MandateView[]> => {
  const at = await deps.businessClock.now();
  const mandateIds = await findOtherLiveMandatesOfClient(deps.db.sql, { payerId, mandateId, at, limit });
  return findViews(deps, { payerId, mandateIds });
};

/** @returns null for an unknown id, and for another payer's mandate. */
export const findMandateView = async (
  deps: ViewDeps,
  { payerId, mandateId }: { payerId: string; mandateId: string },
): Promise<MandateView | null> => (await findViews(deps, { payerId, mandateIds: [mandateId] }))[0] ?? null;

type Row = Awaited<ReturnType<typeof findPayerMandates>>[number];

const findViews = async (
  deps: ViewDeps,
  { payerId, mandateIds }: { payerId: string; mandateIds: readonly string[] },
): Promise<MandateView[]> => {
  if (mandateIds.length === 0) return [];
  const at = await deps.businessClock.now();
  const rows = await findPayerMandates(deps.db, { payerId, mandateIds, at });
  const clientIds = [...new Set(rows.map(({ client }) => client.id))];
  const [names, counts, parties] = await Promise.all([
    findMerchantNames(deps.db, [...new Set(rows.flatMap((row) => row.payeeMerchantIds))]),
    countLiveMandatesByClient(deps.db.sql, { payerId, ids: clientIds, at }),
    listGrantParties(deps.db.sql, [...new Set(rows.map(({ grantId }) => grantId))]),
  ]);
  const domains = new Map(parties.map((each) => [each.grantId, clientDomain(each.redirectUris, each.domains)]));
  return rows.map((row) => toView(row, { names, counts, domains, at }));
};

type Beside = {
  names: ReadonlyMap<string, string>;
  counts: ReadonlyMap<string, number>;
  /** verified domains of clients, by grant */
  domains: ReadonlyMap<string, string | null>;
  at: Date;
};

const toView = (row: Row, { names, counts, domains, at }: Beside): MandateView => ({
  id: row.id,
  grantId: row.grantId,
  state: effectiveState(row.state, row.validUntil, at),
  version: row.version,
  client: { ...row.client, verifiedDomain: domains.get(row.grantId) ?? null },
  liveOfClient: counts.get(row.client.id) ?? 0,
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
  // The current period; before the window opens, the first one.
  const { startsAt, endsAt } = periodAt(limit, {
    timeZone: row.timeZone,
    anchor: row.validFrom,
    at: at < row.validFrom ? row.validFrom : at,
  });
  const counters =
    row.periods.find((period) => period.limitKey === key && period.startsAt.getTime() === startsAt.getTime()) ?? noUse;
  const { period, alignment } = limit;
  const common = { period, alignment, resetsAt: endsAt < row.validUntil ? endsAt : null };
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
