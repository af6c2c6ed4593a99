import type { ChargeState } from "../../charges/rules/charge-states.ts";
import type { DisputeStatus } from "../../charges/rules/dispute.ts";
import type { Page } from "../../kernel/pagination.ts";
import { type Sql, statement } from "../client.ts";
import { inDue, spanOf } from "../dated.ts";
import { createdFilters, equalFilter, findList } from "../find-list.ts";

export type DisputeRow = {
  id: string;
  chargeId: string;
  merchantId: string;
  mandateId: string;
  status: DisputeStatus;
  amount: bigint;
  currency: string;
  reason: string;
  /** the processor's deadline for evidence, as first reported; null if the processor names none */
  evidenceDueAt: Date | null;
  /** the processor's own id */
  disputeRef: string;
  createdAt: Date;
  closedAt: Date | null;
  nextLookupAt: Date | null;
};

const columns = `d.id, d.charge_id AS "chargeId", d.merchant_id AS "merchantId", d.mandate_id AS "mandateId", d.status, d.amount,
  d.currency, d.reason, d.evidence_due_at AS "evidenceDueAt", d.dispute_ref AS "disputeRef", d.created_at AS "createdAt", d.closed_at AS "closedAt",
  d.next_lookup_at AS "nextLookupAt"`;

const listOfCharge = statement<DisputeRow>(
  "list_disputes_of_charge",
  `SELECT ${columns} FROM dispute d WHERE d.charge_id = $1 ORDER BY d.created_at, d.id`,
);

export const findDisputesOfCharge = (sql: Sql, chargeId: string): Promise<DisputeRow[]> =>
  sql.query(listOfCharge, [chargeId]);

const findById = statement<DisputeRow>(
  "find_dispute",
  `SELECT ${columns} FROM dispute d WHERE d.id = $1 AND d.created_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

export const findDispute = async (sql: Sql, id: string): Promise<DisputeRow | null> =>
  (await sql.query(findById, [id, ...spanOf(id)]))[0] ?? null;

export type DisputeFilters = {
  status: DisputeStatus | null;
  chargeId: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  /** only disputes of these charges */
  chargeIds?: readonly string[] | undefined;
};

/** Newest first (findList). */
export const findMerchantDisputes = (
  sql: Sql,
  { merchantId, status, chargeId, chargeIds, page, ...created }: DisputeFilters & { merchantId: string; page: Page },
): Promise<DisputeRow[]> => {
  const filters = [
    ...equalFilter("merchant", "d.merchant_id", merchantId),
    ...equalFilter("status", "d.status", status),
    ...equalFilter("charge", "d.charge_id", chargeId),
    ...(chargeIds === undefined
      ? []
      : [{ key: "charges", sql: (ids: string) => `d.charge_id = ANY (${ids}::text[])`, value: [...chargeIds] }]),
    ...createdFilters("d.created_at", created),
  ];
  return findList(sql, {
    name: "disputes",
    select: `SELECT ${columns} FROM dispute d`,
    order: ["d.created_at", "d.id"],
    filters,
    page,
  });
};

const countAround = statement<{ before: number; after: number }>(
  "count_disputes_of_merchant",
  `SELECT count(*) FILTER (WHERE created_at < $3::timestamptz)::int AS before,
          count(*) FILTER (WHERE created_at >= $3::timestamptz)::int AS after
     FROM dispute WHERE merchant_id = $1 AND created_at >= $2::timestamptz`,
);

/** Counts disputes: those opened from `since` until before `middle`, and those opened at `middle` or later. */
export const countMerchantDisputes = async (
  sql: Sql,
  { merchantId, since, middle }: { merchantId: string; since: Date; middle: Date },
): Promise<{ before: number; after: number }> =>
  (await sql.query(countAround, [merchantId, since, middle]))[0] ?? { before: 0, after: 0 };

const insert = statement<never>(
  "insert_dispute",
  `INSERT INTO dispute (id, charge_id, merchant_id, mandate_id, status, amount, currency, reason, dispute_ref, created_at, next_lookup_at, evidence_due_at)
   VALUES ($1, $2, $3, $4, 'open', $5::bigint, $6, $7, $8, $9::timestamptz, $10::timestamptz, $11::timestamptz)`,
);

export const insertDispute = async (sql: Sql, dispute: DisputeRow): Promise<void> => {
  await sql.query(insert, [
    dispute.id,
    dispute.chargeId,
    dispute.merchantId,
    dispute.mandateId,
    dispute.amount,
    dispute.currency,
    dispute.reason,
    dispute.disputeRef,
    dispute.createdAt,
    dispute.nextLookupAt,
    dispute.evidenceDueAt,
  ]);
};

const close = statement<never>(
  "close_dispute",
  `UPDATE dispute SET status = $2, closed_at = $3::timestamptz, next_lookup_at = NULL
   WHERE id = $1 AND created_at BETWEEN $4::timestamptz AND $5::timestamptz`,
);

export const updateDisputeClosed = async (
  sql: Sql,
  dispute: { id: string; status: "won" | "lost"; closedAt: Date },
): Promise<void> => {
  await sql.query(close, [dispute.id, dispute.status, dispute.closedAt, ...spanOf(dispute.id)]);
};

const setState = statement<never>(
  "set_disputed_charge_state",
  `UPDATE charge SET state = $2::charge_state, updated_at = $3::timestamptz
   WHERE id = $1 AND created_at BETWEEN $4::timestamptz AND $5::timestamptz`,
);

/** The caller locks the charge's row. A dispute changes the charge's state, but neither restores nor uses budget. */
export const updateDisputedCharge = async (
  sql: Sql,
  charge: { id: string; state: ChargeState; at: Date },
): Promise<void> => {
  await sql.query(setState, [charge.id, charge.state, charge.at, ...spanOf(charge.id)]);
};

const claimDue = statement<DisputeRow>(
  "claim_due_disputes",
  `WITH due AS (
     SELECT id FROM dispute WHERE next_lookup_at <= $1::timestamptz
     ORDER BY next_lookup_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE dispute d SET next_lookup_at = $3::timestamptz WHERE ${inDue("d")}
   RETURNING ${columns}`,
);

/** Claims due disputes, each for one caller. A claimed dispute is due again at `nextLookupAt`. */
export const claimDueDisputes = (
  sql: Sql,
  input: { now: Date; limit: number; nextLookupAt: Date },
): Promise<DisputeRow[]> => sql.query(claimDue, [input.now, input.limit, input.nextLookupAt]);
