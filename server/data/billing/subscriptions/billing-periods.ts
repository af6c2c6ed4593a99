import type { PlanRef } from "../../../billing/rules/plans/terms.ts";
import { type Sql, statement } from "../../client.ts";

/** A part of a subscription with one plan and its own invoices. */
export type BillingPeriodRow = {
  subscriptionId: string;
  /** `late` follows the end of a subscription, and bills only events that arrive afterwards */
  kind: "regular" | "late";
  from: Date;
  to: Date;
  /** the undivided period, which is the denominator of proration */
  wholeFrom: Date;
  wholeTo: Date;
  number: number;
  planId: string;
  planVersion: number;
  currency: string;
  state: "open" | "draft" | "final";
  dueAt: Date | null;
  /** why the last attempt couldn't finalize the period's invoices */
  hold: string | null;
  cutOffAt: Date | null;
};

/** SQL: the columns of period `p`. */
export const periodColumns = `p.subscription_id AS "subscriptionId", p.kind, p."from", p."to", p.whole_from AS "wholeFrom",
  p.whole_to AS "wholeTo", p.number, p.plan_id AS "planId", p.plan_version AS "planVersion", p.currency, p.state,
  p.due_at AS "dueAt", p.hold, p.cut_off_at AS "cutOffAt"`;

const findOpen = statement<BillingPeriodRow>(
  "find_open_billing_period",
  `SELECT ${periodColumns} FROM billing_period p WHERE p.subscription_id = $1 AND p.kind = 'regular' AND p.state = 'open'`,
);

/** The period that hasn't been closed yet; null after the end of the subscription. */
export const findOpenPeriod = async (sql: Sql, subscriptionId: string): Promise<BillingPeriodRow | null> =>
  (await sql.query(findOpen, [subscriptionId]))[0] ?? null;

const findLast = statement<BillingPeriodRow>(
  "find_last_billing_period",
  `SELECT ${periodColumns} FROM billing_period p WHERE p.subscription_id = $1 AND p.kind = 'regular'
    ORDER BY p."from" DESC LIMIT 1`,
);

export const findLastPeriod = async (sql: Sql, subscriptionId: string): Promise<BillingPeriodRow | null> =>
  (await sql.query(findLast, [subscriptionId]))[0] ?? null;

const listDrafts = statement<BillingPeriodRow>(
  "list_draft_billing_periods",
  `SELECT ${periodColumns} FROM billing_period p WHERE p.subscription_id = $1 AND p.state = 'draft' ORDER BY p."from"`,
);

/** Ended periods whose invoices aren't final, in time order. */
export const findDraftPeriods = (sql: Sql, subscriptionId: string): Promise<BillingPeriodRow[]> =>
  sql.query(listDrafts, [subscriptionId]);

const listWithin = statement<BillingPeriodRow>(
  "list_billing_periods_within",
  `SELECT ${periodColumns} FROM billing_period p WHERE p.subscription_id = $1 AND p.kind = 'regular'
      AND p."from" < $3::timestamptz AND p."to" > $2::timestamptz ORDER BY p."from"`,
);

/** The regular periods that overlap a time span, in time order. */
export const findPeriodsWithin = (
  sql: Sql,
  subscriptionId: string,
  { from, to }: { from: Date; to: Date },
): Promise<BillingPeriodRow[]> => sql.query(listWithin, [subscriptionId, from, to]);

const listEarlier = statement<BillingPeriodRow>(
  "list_earlier_parts",
  `SELECT ${periodColumns} FROM billing_period p WHERE p.subscription_id = $1 AND p.kind = 'regular' AND p.plan_id = $2
      AND p.plan_version = $3::int AND p."to" <= $4::timestamptz AND p.whole_to > $4::timestamptz ORDER BY p."from"`,
);

/**
 * The earlier parts with this plan and version whose undivided period ends after this time, in time order. A part that
 * begins at this time shares the plan's free units, tiers and maximum with them.
 */
export const findEarlierParts = (
  sql: Sql,
  subscriptionId: string,
  { planId, planVersion, from }: Pick<BillingPeriodRow, "planId" | "planVersion" | "from">,
): Promise<BillingPeriodRow[]> => sql.query(listEarlier, [subscriptionId, planId, planVersion, from]);

/**
 * `lastCutOffAt`: the latest cut-off of this period and all later final periods. Their invoices include all events of
 * this period that were received before then.
 */
export type FinalPeriodRow = BillingPeriodRow & { lastCutOffAt: Date };

const listFinal = statement<FinalPeriodRow>(
  "list_final_billing_periods",
  `SELECT ${periodColumns}, l.cut_off_at AS "lastCutOffAt" FROM billing_period p CROSS JOIN LATERAL (
       SELECT max(q.cut_off_at) AS cut_off_at FROM billing_period q
        WHERE q.subscription_id = p.subscription_id AND q."from" >= p."from" AND q.state = 'final') l
    WHERE p.subscription_id = $1 AND p.kind = 'regular' AND p.state = 'final' AND p."to" <= $2::timestamptz
      AND p."to" > l.cut_off_at - $3::int * interval '1 second'
    ORDER BY p."from"`,
);

/**
 * Periods that ended by `until` and have final invoices, in time order. A period is left out if no event of it could
 * still be accepted after `lastCutOffAt`.
 */
export const findFinalPeriods = (
  sql: Sql,
  subscriptionId: string,
  { until, acceptedSeconds }: { until: Date; acceptedSeconds: number },
): Promise<FinalPeriodRow[]> => sql.query(listFinal, [subscriptionId, until, acceptedSeconds]);

const insert = statement<never>(
  "insert_billing_period",
  `INSERT INTO billing_period (subscription_id, kind, "from", "to", whole_from, whole_to, number, plan_id, plan_version,
     currency, due_at)
   VALUES ($1, $2, $3::timestamptz, $4::timestamptz, $5::timestamptz, $6::timestamptz, $7::int, $8, $9::int, $10,
     $4::timestamptz)`,
);

export type NewPeriod = {
  subscriptionId: string;
  kind: BillingPeriodRow["kind"];
  from: Date;
  to: Date;
  whole: { from: Date; to: Date };
  number: number;
  plan: PlanRef;
  currency: string;
};

/** Inserts an open period, which is due at its end. A constraint refuses a period that overlaps another one. */
export const insertBillingPeriod = async (sql: Sql, period: NewPeriod): Promise<void> => {
  const { subscriptionId, kind, from, to, whole, number, plan, currency } = period;
  const span = [subscriptionId, kind, from, to, whole.from, whole.to];
  await sql.query(insert, [...span, number, plan.id, plan.version, currency]);
};

const insertFurtherLate = statement<never>(
  "insert_further_late_period",
  `INSERT INTO billing_period (subscription_id, kind, "from", "to", whole_from, whole_to, number, plan_id, plan_version,
     currency, due_at)
   SELECT l.subscription_id, 'late', l."to", $2::timestamptz, l."to", $2::timestamptz, l.number, l.plan_id, l.plan_version,
          l.currency, $2::timestamptz
     FROM billing_period l
    WHERE l.subscription_id = $1 AND l.kind = 'late' AND l."to" < $2::timestamptz
      AND NOT EXISTS (SELECT FROM billing_period p WHERE p.subscription_id = $1 AND p.state <> 'final')
    ORDER BY l."to" DESC LIMIT 1`,
);

/**
 * If the last invoice of an ended subscription is final, adds a period that ends at `at`, so that another invoice
 * follows. Call it in a transaction that has locked the merchant's invoicing, because this lock is held while a period
 * becomes final.
 */
export const insertFurtherLatePeriod = async (sql: Sql, subscriptionId: string, at: Date): Promise<void> => {
  await sql.query(insertFurtherLate, [subscriptionId, at]);
};

type PeriodKey = Pick<BillingPeriodRow, "subscriptionId" | "kind" | "from">;
const isPeriod = `subscription_id = $1 AND kind = $2 AND "from" = $3::timestamptz`;

const setEnd = statement<never>(
  "update_billing_period_end",
  `UPDATE billing_period SET "to" = $4::timestamptz, due_at = $4::timestamptz WHERE ${isPeriod} AND state = 'open'`,
);

/** Moves the end of an open period. */
export const updatePeriodEnd = async (sql: Sql, { subscriptionId, kind, from }: PeriodKey, to: Date): Promise<void> => {
  await sql.query(setEnd, [subscriptionId, kind, from, to]);
};

const remove = statement<never>(
  "delete_open_billing_period",
  `DELETE FROM billing_period WHERE ${isPeriod} AND state = 'open'`,
);

/** Removes an open period, which another one replaces. */
export const deleteOpenPeriod = async (sql: Sql, { subscriptionId, kind, from }: PeriodKey): Promise<void> => {
  await sql.query(remove, [subscriptionId, kind, from]);
};

const markDrafted = statement<never>(
  "mark_billing_period_drafted",
  `UPDATE billing_period SET state = 'draft', due_at = $4::timestamptz, retry_at = NULL, hold = NULL WHERE ${isPeriod}`,
);

/** Marks a period that has ended. Its invoices become final at `dueAt`. */
export const markPeriodDrafted = async (
  sql: Sql,
  { subscriptionId, kind, from }: PeriodKey,
  dueAt: Date,
): Promise<void> => {
  await sql.query(markDrafted, [subscriptionId, kind, from, dueAt]);
};

const markFinal = statement<never>(
  "mark_billing_period_final",
  `UPDATE billing_period SET state = 'final', due_at = NULL, retry_at = NULL, hold = NULL, cut_off_at = $4::timestamptz
    WHERE ${isPeriod}`,
);

/** Marks a period whose invoices are final: its events that are received later are late. */
export const markPeriodFinal = async (
  sql: Sql,
  { subscriptionId, kind, from }: PeriodKey,
  cutOffAt: Date,
): Promise<void> => {
  await sql.query(markFinal, [subscriptionId, kind, from, cutOffAt]);
};

const setHold = statement<never>(
  "hold_billing_period",
  `UPDATE billing_period SET hold = $4, retry_at = $5::timestamptz WHERE ${isPeriod}`,
);

/** @param hold why the period can't be finalized, and the real time of the next attempt. */
export const holdPeriod = async (
  sql: Sql,
  { subscriptionId, kind, from }: PeriodKey,
  hold: { reason: string; retryAt: Date },
): Promise<void> => {
  await sql.query(setHold, [subscriptionId, kind, from, hold.reason, hold.retryAt]);
};

const release = statement<never>(
  "release_tax_hold",
  "UPDATE billing_period SET retry_at = NULL WHERE subscription_id = $1 AND state = 'draft' AND hold = 'tax_details'",
);

/** Makes the periods that wait for tax details due again immediately. The caller has locked the subscription. */
export const releaseTaxHold = async (sql: Sql, subscriptionId: string): Promise<void> => {
  await sql.query(release, [subscriptionId]);
};

// Changes of plan also lock the subscription first. When PostgreSQL locks the period, it checks again that the period
// is due.
const claim = statement<BillingPeriodRow>(
  "claim_due_billing_period",
  `SELECT ${periodColumns} FROM billing_period p JOIN billing_subscription s ON s.id = p.subscription_id
    WHERE p.due_at <= $1::timestamptz AND (p.retry_at IS NULL OR p.retry_at <= $2::timestamptz)
    ORDER BY p.due_at LIMIT 1 FOR NO KEY UPDATE OF s, p SKIP LOCKED`,
);

/** Locks the first period that is due and that no other transaction works on. */
export const claimDuePeriod = async (
  sql: Sql,
  { until, realNow }: { until: Date; realNow: Date },
): Promise<BillingPeriodRow | null> => (await sql.query(claim, [until, realNow]))[0] ?? null;
