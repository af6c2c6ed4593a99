import type { Db } from "#server/data/client.ts";
import { statement } from "#server/data/client.ts";
import type { Merchant } from "../support/oauth/parties.ts";
import { listPayments, type Payment } from "../support/peers/simulator-ledger.ts";
import type { Order } from "./orders.ts";

type Row = {
  id: string;
  reference: string;
  state: string;
  amount: number;
  captured: number;
  refunded: number;
  keys: string[];
};

const listRows = statement<Row>(
  "list_charges_with_keys",
  `WITH used AS (SELECT charge_id, array_agg(key) AS keys FROM idempotency_key
     WHERE merchant_id = $1 AND route = 'POST /merchant_test/charge' GROUP BY charge_id)
   SELECT c.id, coalesce(c.reference, '') AS reference, c.state::text AS state, c.amount::float8 AS amount,
     c.amount_captured::float8 AS captured, c.amount_refunded::float8 AS refunded, coalesce(used.keys, '{}') AS keys
   FROM charge c LEFT JOIN used ON used.charge_id = c.id WHERE c.merchant_id = $1`,
);

type RefundRow = { id: string; chargeId: string; amount: number; status: string; keys: string[] };
const listRefunds = statement<RefundRow>(
  "list_refunds_with_keys",
  `WITH used AS (SELECT refund_id, array_agg(key) AS keys FROM idempotency_key
     WHERE merchant_id = $1 AND refund_id IS NOT NULL GROUP BY refund_id)
   SELECT r.id, r.charge_id AS "chargeId", r.amount::float8 AS amount, r.status, coalesce(used.keys, '{}') AS keys
   FROM refund r LEFT JOIN used ON used.refund_id = r.id WHERE r.merchant_id = $1`,
);

/**
 * The state that a payment must have at the processor, by the state of our charge. `null`: the processor may have no
 * such payment.
 */
const expected = (row: Row): (string | null)[] => {
  switch (row.state) {
    case "declined":
      return ["declined", null];
    case "voided":
    case "expired":
      return ["voided", null];
    case "authorized":
      return ["authorized"];
    case "succeeded":
    case "captured":
    case "partially_captured":
    case "partially_refunded":
    case "refunded":
    case "disputed":
      return ["succeeded"];
    default:
      return [];
  }
};

const compare = (row: Row, payment: Payment | undefined): string[] => {
  const problems: string[] = [];
  if (!expected(row).includes(payment?.status ?? null))
    problems.push(`${row.state} here, ${payment?.status ?? "unknown"} at the processor`);
  if (!payment) return problems;
  if (payment.amount !== row.amount) problems.push(`amount ${row.amount} here, ${payment.amount} at the processor`);
  if (payment.amount_captured !== row.captured)
    problems.push(`captured ${row.captured} here, ${payment.amount_captured} at the processor`);
  if (payment.amount_refunded !== row.refunded)
    problems.push(`refunded ${row.refunded} here, ${payment.amount_refunded} at the processor`);
  return problems.map((problem) => `${row.id}: ${problem}`);
};

/** Compares our charges with the processor's, one by one. */
const compareLedgers = (rows: readonly Row[], payments: readonly Payment[]): string[] => {
  const there = new Map(payments.map((payment) => [payment.charge_id, payment]));
  const here = new Set(rows.map(({ id }) => id));
  return [
    ...(there.size === payments.length ? [] : [`${payments.length} payments for ${there.size} charges`]),
    ...[...there.keys()].filter((id) => !here.has(id)).map((id) => `${id} exists only at the processor`),
    ...rows.flatMap((row) => compare(row, there.get(row.id))),
  ];
};

const isMoney = ({ state }: Row): boolean => state !== "declined" && state !== "voided" && state !== "expired";
const paidLater = ["partially_refunded", "refunded", "disputed"];
const later: Readonly<Record<string, readonly string[]>> = {
  authorized: ["authorized", "captured", "partially_captured", "voided", ...paidLater],
  succeeded: ["succeeded", ...paidLater],
  captured: ["captured", ...paidLater],
  partially_captured: ["partially_captured", ...paidLater],
  voided: ["voided"],
};

/** Compares the answers that a shop got about an order with the database. */
const checkOrder = (order: Order, books: Books): string[] => {
  const { answer, kind, body } = order;
  const json = answer?.json ?? {};
  const complain = (problem: string) => [
    `${kind} ${order.key}, answered ${answer?.status} ${answer?.text.slice(0, 200)}: ${problem}`,
  ];
  const rows = kind === "charge" ? (books.byReference.get(String(body["reference"])) ?? []) : [];
  if (rows.filter(isMoney).length > 1) return complain(`${rows.length} charges were made`);
  if ((answer?.status === 402 || answer?.status === 403) && rows.some(isMoney))
    return complain(`${rows[0]?.id} was created`);
  if (answer?.status !== 200 && answer?.status !== 201) return [];
  if (kind === "refund") {
    const refund = books.refunds.get(String(json["id"]));
    const isKept =
      refund?.keys.includes(order.key) && refund.amount === json["amount"] && refund.status === json["status"];
    return isKept ? [] : complain(`the database has ${JSON.stringify(refund)}`);
  }
  const row = books.byId.get(String(json["id"]));
  if (!row || !(later[String(json["status"])] ?? []).includes(row.state))
    return complain(`the database has ${JSON.stringify(row)}`);
  if (row.amount !== json["amount"]) return complain(`its amount is ${row.amount}`);
  if (kind === "charge" && row.keys.join() !== order.key) return complain(`its keys are ${row.keys}`);
  if (kind === "capture" && row.captured !== (body["amount"] ?? row.amount))
    return complain(`captured ${row.captured}`);
  return [];
};

type Books = { byId: Map<string, Row>; byReference: Map<string, Row[]>; refunds: Map<string, RefundRow> };

/**
 * Checks that every acknowledged order exists once here and once at the processor, with the same amounts, and that
 * nothing else exists.
 * @returns what is wrong, and how many charges there are.
 */
export const compareBooks = async (
  db: Db,
  merchants: readonly Merchant[],
  orders: readonly Order[],
): Promise<{ problems: string[]; charges: number; refunds: number }> => {
  const problems: string[] = [];
  const rows: Row[] = [];
  const refunds: RefundRow[] = [];
  for (const { merchantId } of merchants) {
    const ours = await db.sql.query(listRows, [merchantId]);
    problems.push(...compareLedgers(ours, await listPayments("sandbox", merchantId)));
    rows.push(...ours);
    refunds.push(...(await db.sql.query(listRefunds, [merchantId])));
  }
  const books: Books = {
    byId: new Map(rows.map((row) => [row.id, row])),
    byReference: Map.groupBy(rows, ({ reference }) => reference),
    refunds: new Map(refunds.map((refund) => [refund.id, refund])),
  };
  problems.push(...orders.flatMap((order) => checkOrder(order, books)));
  return { problems, charges: rows.length, refunds: refunds.length };
};
