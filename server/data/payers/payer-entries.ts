import type { ChargeState, Decline } from "../../charges/rules/charge-states.ts";
import type { RefundStatus } from "../../charges/rules/refund.ts";
import type { Place } from "../../kernel/pagination.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import {
  type Bind,
  chargeTable,
  filterKeys,
  type PayerFilters,
  type PayerPage,
  payerRows,
  refundTable,
} from "./payer-rows.ts";

type EntryRow = {
  id: string;
  amount: bigint;
  createdAt: Date;
  mandateId: string;
  purpose: string;
  merchantId: string;
  merchantName: string;
  clientId: string;
  clientName: string;
};

type ChargeEntryRow = EntryRow & {
  kind: "charge";
  state: ChargeState;
  currency: string;
  amountCaptured: bigint;
  amountRefunded: bigint;
  reference: string | null;
  decline: Decline | null;
};

type RefundEntryRow = EntryRow & { kind: "refund"; state: RefundStatus; chargeId: string };

/** A charge or a refund, with the names that its payer knows. */
export type PayerEntryRow = ChargeEntryRow | RefundEntryRow;

export type PayerEntryFilters = PayerFilters & {
  /** null: both */
  kind: PayerEntryRow["kind"] | null;
  /** of charges */
  states: readonly ChargeState[] | null;
  /** of refunds */
  refundStates: readonly RefundStatus[] | null;
};

type Input = PayerEntryFilters & PayerPage;

const shared = "c.id, c.amount, c.created_at, c.mandate_id, c.merchant_id, c.agent_client_id";
const chargeColumns = `'charge' AS kind, ${shared}, c.state::text AS state, NULL::text AS charge_id, c.currency,
  c.amount_captured, c.amount_refunded, c.reference, c.decline`;
const refundColumns = `'refund' AS kind, ${shared}, c.status AS state, c.charge_id, NULL::char(3) AS currency,
  NULL::bigint AS amount_captured, NULL::bigint AS amount_refunded, NULL::text AS reference, NULL::jsonb AS decline`;

/**
 * Newest first, by time and id; `limit` + 1 rows if there are more. Reads a page of charges and a page of refunds, each
 * by its own index, and merges them. So the whole history is never read.
 */
export const findPayerEntryPage = async (sql: Sql, input: Input): Promise<PayerEntryRow[]> => {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue, type: string) => `$${values.push(value)}::${type}`;
  const parts = partsOf(input, bind);
  if (parts.length === 0) return [];
  const text = `SELECT e.kind, e.id, e.state, e.charge_id AS "chargeId", e.amount, e.currency, e.amount_captured AS "amountCaptured",
       e.amount_refunded AS "amountRefunded", e.reference, e.decline, e.created_at AS "createdAt", e.mandate_id AS "mandateId", m.purpose,
       e.merchant_id AS "merchantId", s.display_name AS "merchantName", e.agent_client_id AS "clientId", a.name AS "clientName"
     FROM (${parts.map((part) => part.sql).join(" UNION ALL ")} ORDER BY created_at DESC, id DESC LIMIT ${bind(input.limit + 1, "int")}) e
     JOIN mandate m ON m.id = e.mandate_id JOIN merchant s ON s.id = e.merchant_id JOIN client a ON a.id = e.agent_client_id
     ORDER BY e.created_at DESC, e.id DESC`;
  const key = [...parts.map((part) => part.key), ...filterKeys(input)].join(",");
  return sql.query(statement<PayerEntryRow>(`entry:${key}`, text), values);
};

/**
 * One part for each kind that can match. The keys are short, because PostgreSQL compares only the first 63 characters
 * of a name.
 */
const partsOf = ({ kind, states, refundStates, ...input }: Input, bind: Bind): { key: string; sql: string }[] => {
  const parts = [];
  if (kind !== "refund" && states?.length !== 0) {
    const { key, sql } = payerRows(chargeTable, { ...input, states }, bind);
    parts.push({ key: `c:${key}`, sql: `(SELECT ${chargeColumns} FROM (${sql}) c)` });
  }
  if (kind !== "charge" && refundStates?.length !== 0) {
    const { key, sql } = payerRows(refundTable, { ...input, states: refundStates }, bind);
    parts.push({ key: `r:${key}`, sql: `(SELECT ${refundColumns} FROM (${sql}) c)` });
  }
  return parts;
};

const chargePlace = statement<Place>(
  "find_payer_charge_place",
  "SELECT id, created_at AS at FROM charge WHERE id = $1 AND payer_id = $2 AND created_at BETWEEN $3::timestamptz AND $4::timestamptz",
);
const refundPlace = statement<Place>(
  "find_payer_refund_place",
  "SELECT id, created_at AS at FROM refund WHERE id = $1 AND payer_id = $2 AND created_at BETWEEN $3::timestamptz AND $4::timestamptz",
);

/** @returns null for an unknown id, and for another payer's. */
export const findPayerEntryPlace = async (
  sql: Sql,
  { payerId, id }: { payerId: string; id: string },
): Promise<Place | null> => {
  const place = id.startsWith("rfd_") ? refundPlace : chargePlace;
  return (await sql.query(place, [id, payerId, ...spanOf(id)]))[0] ?? null;
};

export type RefundedCharge = { id: string; currency: string; reference: string | null };

const refunded = statement<RefundedCharge>(
  "find_refunded_charges",
  `SELECT c.id, c.currency, c.reference FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS r (id, since, until)
    CROSS JOIN LATERAL (SELECT * FROM charge WHERE id = r.id AND created_at BETWEEN r.since AND r.until) c`,
);

/** The charges of a page of refunds. */
export const findRefundedCharges = async (sql: Sql, ids: readonly string[]): Promise<RefundedCharge[]> => {
  if (ids.length === 0) return [];
  const spans = ids.map(spanOf);
  return sql.query(refunded, [[...ids], spans.map(([since]) => since), spans.map(([, until]) => until)]);
};
