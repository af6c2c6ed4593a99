import { type Sql, statement } from "../client.ts";

export type Attention = {
  /** charges with an unknown outcome that look-ups couldn't settle */
  chargesUnderReview: number;
  /** new merchants that are waiting for approval */
  pendingMerchants: number;
  /** open contradictions between a processor and our records */
  contradictions: number;
  /** invoice payments whose outcome isn't known after an hour */
  billingPaymentsUnderReview: number;
  /** draft invoices that wait for tax details: an operator can decide the merchant's tax status */
  taxDecisions: number;
  /** results of merchants' meters that differ from their source, per day */
  meterDifferences: number;
  /** e-mails that failed and were created at `mailSince` or later */
  failedMail: number;
  /** unsent e-mails with at least one failed attempt */
  retryingMail: number;
  /** incidents opened by probes, not yet confirmed or dismissed */
  incidentDrafts: number;
  /** jobs whose last run failed */
  failingJobs: string[];
  /** whether a merchant has a billing subscription */
  hasSubscriptions: boolean;
};

const find = statement<Attention>(
  "find_attention",
  `SELECT (SELECT count(*)::int FROM charge WHERE state = 'unknown' AND next_lookup_at IS NULL) AS "chargesUnderReview",
     (SELECT count(*)::int FROM merchant WHERE review = 'pending') AS "pendingMerchants",
     (SELECT count(*)::int FROM contradiction WHERE closed_at IS NULL) AS "contradictions",
     (SELECT count(*)::int FROM billing_payment WHERE state = 'pending' AND started_at <= $2::timestamptz) AS "billingPaymentsUnderReview",
     (SELECT count(*)::int FROM billing_invoice WHERE status = 'draft' AND tax_decided_at IS NULL
         AND tax_awaited_since <= $3::timestamptz) AS "taxDecisions",
     (SELECT count(*)::int FROM meter_reconciliation WHERE metered_count <> source_count OR metered_quantity <> source_quantity) AS "meterDifferences",
     (SELECT count(*)::int FROM mail WHERE state = 'failed' AND created_at >= $1::timestamptz) AS "failedMail",
     (SELECT count(*)::int FROM mail WHERE state = 'pending' AND attempts > 0) AS "retryingMail",
     (SELECT count(*)::int FROM incident WHERE state = 'draft') AS "incidentDrafts",
     ARRAY(SELECT name FROM job_pulse WHERE failed_at > coalesce(ok_at, '-infinity') ORDER BY name) AS "failingJobs",
     EXISTS (SELECT 1 FROM billing_subscription) AS "hasSubscriptions"`,
);

type Since = {
  /** earliest time of failed mail */
  mailSince: Date;
  /** counts only payments that were started at this time or earlier */
  paymentsUntil: Date;
  /** counts only drafts that began to wait at this time or earlier */
  draftsUntil: Date;
};

/** Counts everything that needs an operator. */
export const countAttention = async (
  sql: Sql,
  { mailSince, paymentsUntil, draftsUntil }: Since,
): Promise<Attention> => {
  const [row] = await sql.query(find, [mailSince, paymentsUntil, draftsUntil]);
  if (!row) throw new Error("a single-row statement returned no row");
  return row;
};
