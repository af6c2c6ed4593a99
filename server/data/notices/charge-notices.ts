import type { Page } from "../../kernel/pagination.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import type { MandateState } from "../../mandates/rules/transitions.ts";
import { type Sql, statement } from "../client.ts";
import { createdFilters, equalFilter, findList } from "../find-list.ts";

export type ChargeNoticeRow = {
  id: string;
  merchantId: string;
  merchantClientId: string;
  idempotencyKey: string;
  bodyHash: string;
  mandateId: string;
  payerId: string;
  amount: bigint;
  currency: string;
  reference: string | null;
  dueAt: Date;
  createdAt: Date;
  canceledAt: Date | null;
  chargeId: string | null;
  mandateEndsAt: Date;
};

const columns = `n.id, n.merchant_id AS "merchantId", n.merchant_client_id AS "merchantClientId",
  n.idempotency_key AS "idempotencyKey", n.body_hash AS "bodyHash", n.mandate_id AS "mandateId", n.payer_id AS "payerId",
  n.amount, n.currency, n.reference, n.due_at AS "dueAt", n.created_at AS "createdAt", n.canceled_at AS "canceledAt",
  n.charge_id AS "chargeId", coalesce(m.ended_at, m.valid_until) AS "mandateEndsAt"`;
const tables = "charge_notice n JOIN mandate m ON m.id = n.mandate_id";

const insert = statement<{ id: string }>(
  "insert_charge_notice",
  `INSERT INTO charge_notice (id, merchant_id, merchant_client_id, idempotency_key, body_hash, mandate_id, payer_id,
     amount, currency, reference, due_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8::bigint, $9, $10, $11::timestamptz, $12::timestamptz)
   ON CONFLICT (merchant_id, idempotency_key) DO NOTHING RETURNING id`,
);

/** At most one notice per merchant and key. @returns whether this call added it. */
export const insertChargeNotice = async (sql: Sql, notice: ChargeNoticeRow): Promise<boolean> => {
  const { id, merchantId, merchantClientId, idempotencyKey, bodyHash, mandateId, payerId } = notice;
  const { amount, currency, reference, dueAt, createdAt } = notice;
  const keyed = [id, merchantId, merchantClientId, idempotencyKey, bodyHash, mandateId, payerId];
  return (await sql.query(insert, [...keyed, amount, currency, reference, dueAt, createdAt])).length > 0;
};

const findByKey = statement<ChargeNoticeRow>(
  "find_charge_notice_by_key",
  `SELECT ${columns} FROM ${tables} WHERE n.merchant_id = $1 AND n.idempotency_key = $2`,
);

export const findChargeNoticeByKey = async (
  sql: Sql,
  { merchantId, key }: { merchantId: string; key: string },
): Promise<ChargeNoticeRow | null> => (await sql.query(findByKey, [merchantId, key]))[0] ?? null;

const findById = statement<ChargeNoticeRow>("find_charge_notice", `SELECT ${columns} FROM ${tables} WHERE n.id = $1`);

export const findChargeNotice = async (sql: Sql, id: string): Promise<ChargeNoticeRow | null> =>
  (await sql.query(findById, [id]))[0] ?? null;

/** SQL: whether the announced charge is still expected. Unlike `noticeStatus`, this ignores the end of the mandate. */
const isOpen = (dueAfter: string): string =>
  `n.charge_id IS NULL AND n.canceled_at IS NULL AND n.due_at > ${dueAfter}::timestamptz`;

const countOpen = statement<{ count: number }>(
  "count_open_charge_notices",
  `SELECT count(*)::int AS count FROM charge_notice n WHERE n.mandate_id = $1 AND n.merchant_id = $2 AND ${isOpen("$3")}`,
);

/** The number of charges that a merchant has announced under a mandate and that are still expected. */
export const countOpenChargeNotices = async (
  sql: Sql,
  { mandateId, merchantId, dueAfter }: { mandateId: string; merchantId: string; dueAfter: Date },
): Promise<number> => (await sql.query(countOpen, [mandateId, merchantId, dueAfter]))[0]?.count ?? 0;

const cancel = statement<{ id: string }>(
  "cancel_charge_notice",
  `UPDATE charge_notice SET canceled_at = $2::timestamptz WHERE id = $1 AND canceled_at IS NULL AND charge_id IS NULL RETURNING id`,
);

/** @returns whether this call canceled the notice; also false if the announced charge was made. */
export const updateNoticeCanceled = async (sql: Sql, { id, at }: { id: string; at: Date }): Promise<boolean> =>
  (await sql.query(cancel, [id, at])).length > 0;

export type NoticeFilters = {
  merchantId: string;
  mandateId: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
};

/** Newest first (findList). */
export const findMerchantNotices = (
  sql: Sql,
  { merchantId, mandateId, page, ...created }: NoticeFilters & { page: Page },
): Promise<ChargeNoticeRow[]> =>
  findList(sql, {
    name: "charge_notices",
    select: `SELECT ${columns} FROM ${tables}`,
    order: ["n.created_at", "n.id"],
    filters: [
      ...equalFilter("merchant", "n.merchant_id", merchantId),
      ...equalFilter("mandate", "n.mandate_id", mandateId),
      ...createdFilters("n.created_at", created),
    ],
    page,
  });

export type PayerNoticeRow = ChargeNoticeRow & {
  merchantName: string;
  clientName: string;
  purpose: string;
  mandateState: MandateState;
  isPausedByPayer: boolean;
};

const payerColumns = `${columns}, s.display_name AS "merchantName", c.name AS "clientName", m.purpose,
  m.state::text AS "mandateState", 'payer' = ANY (coalesce(m.suspended_by, '{}')) AS "isPausedByPayer"`;
const payerTables = `${tables} JOIN merchant s ON s.id = n.merchant_id JOIN client c ON c.id = m.client_id`;
const endsAfterDue = "coalesce(m.ended_at, m.valid_until) > n.due_at";

const matches = `($7::text IS NULL OR
  strpos(lower(concat_ws(E'\\n', s.display_name, c.name, m.purpose, n.reference)), lower($7)) > 0)`;

const upcoming = statement<PayerNoticeRow>(
  "find_upcoming_charge_notices",
  `SELECT ${payerColumns} FROM ${payerTables}
    WHERE n.payer_id = $1 AND ${isOpen("$6")}
      AND (${endsAfterDue} OR coalesce(m.ended_at, m.valid_until) > $2::timestamptz)
      AND ${matches} AND (n.due_at, n.id) > ($3::timestamptz, $4) ORDER BY n.due_at, n.id LIMIT $5::int`,
);

const past = statement<PayerNoticeRow>(
  "find_past_charge_notices",
  `SELECT ${payerColumns} FROM ${payerTables}
    WHERE n.payer_id = $1
      AND NOT (${isOpen("$6")} AND (${endsAfterDue} OR coalesce(m.ended_at, m.valid_until) > $2::timestamptz))
      AND ${matches} AND (n.due_at, n.id) < ($3::timestamptz, $4) ORDER BY n.due_at DESC, n.id DESC LIMIT $5::int`,
);

type PayerPage = {
  payerId: string;
  at: BusinessTime;
  dueAfter: Date;
  after: { at: Date; id: string } | null;
  /** a part of the merchant, app, purpose or reference; null: all notices */
  search: string | null;
  limit: number;
};

/** The announced charges that are still expected, earliest first. Returns `limit` + 1 rows if there are more. */
export const findUpcomingNotices = (
  sql: Sql,
  { payerId, at, dueAfter, after, search, limit }: PayerPage,
): Promise<PayerNoticeRow[]> =>
  sql.query(upcoming, [payerId, at, after?.at ?? "-infinity", after?.id ?? "", limit + 1, dueAfter, search]);

/** All other notices, latest first. Returns `limit` + 1 rows if there are more. */
export const findPastNotices = (
  sql: Sql,
  { payerId, at, dueAfter, after, search, limit }: PayerPage,
): Promise<PayerNoticeRow[]> =>
  sql.query(past, [payerId, at, after?.at ?? "infinity", after?.id ?? "", limit + 1, dueAfter, search]);

const forPayer = statement<PayerNoticeRow>(
  "find_payer_charge_notice",
  `SELECT ${payerColumns} FROM ${payerTables} WHERE n.id = $1 AND n.payer_id = $2`,
);

export const findPayerNotice = async (
  sql: Sql,
  { id, payerId }: { id: string; payerId: string },
): Promise<PayerNoticeRow | null> => (await sql.query(forPayer, [id, payerId]))[0] ?? null;
