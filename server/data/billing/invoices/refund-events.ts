import type { Page, Place } from "../../../kernel/pagination.ts";
import { type Sql, statement } from "../../client.ts";
import type { LineEvent } from "../meters/line-events.ts";
import {
  billedRefunds,
  creditOfFailed,
  isCreditedBy,
  isFailedWithin,
  isGivenWithin,
} from "../subscriptions/credited-refunds.ts";

/**
 * Selects the refunds that an invoice line counts. `subscriptionId`: the subscription of the invoice. `refunded`: the
 * invoice's period, in which the refunds succeeded or failed. `charged`: the line's period, in which the charges were
 * captured. `isChargedAgain`: false for a line that credits fees. A line that charges fees again counts only the
 * refunds that failed after another line had credited their fees.
 */
export type RefundEventsQuery = {
  merchantId: string;
  subscriptionId: string;
  currency: string;
  refunded: { from: Date; to: Date };
  charged: { from: Date; to: Date };
  isChargedAgain: boolean;
};

export type RefundEvent = LineEvent & { capturedMinor: bigint };

type Kind = "credited" | "failed";

const select = (time: string): string =>
  `SELECT r.id, ${time} AS time, 1::bigint AS quantity, r.amount, c.currency::text AS currency, r.charge_id AS subject,
          c.amount_captured AS "capturedMinor"
     FROM ${billedRefunds}
    WHERE r.merchant_id = $1 AND c.currency = $2 AND c.final_at >= $5::timestamptz AND c.final_at < $6::timestamptz
      AND ${isCreditedBy("$7", time)}`;
const refunds: Readonly<Record<Kind, string>> = {
  credited: `${select("r.given_at")} AND ${isGivenWithin("$3", "$4")}`,
  failed: `${select("r.updated_at")} AND ${isFailedWithin("$3", "$4")} AND EXISTS (${creditOfFailed})`,
};

const list = (kind: Kind) =>
  statement<RefundEvent>(
    `list_${kind}_refund_line_events`,
    `SELECT * FROM (${refunds[kind]}) e WHERE $8::timestamptz IS NULL OR (e.time, e.id) > ($8::timestamptz, $9::text)
      ORDER BY e.time, e.id LIMIT $10::int`,
  );
const findPlace = (kind: Kind) =>
  statement<Place>(
    `find_${kind}_refund_line_event`,
    `SELECT e.id, e.time AS at FROM (${refunds[kind]}) e WHERE e.id = $8`,
  );

const lists = { credited: list("credited"), failed: list("failed") };
const places = { credited: findPlace("credited"), failed: findPlace("failed") };
const kindOf = ({ isChargedAgain }: RefundEventsQuery): Kind => (isChargedAgain ? "failed" : "credited");

const valuesOf = (query: RefundEventsQuery) => {
  const { merchantId, subscriptionId, currency, refunded, charged } = query;
  const spans = [refunded.from, refunded.to, charged.from, charged.to];
  return [merchantId, currency, ...spans, subscriptionId];
};

/** Oldest first. Returns `limit` + 1 if there are more. */
export const findRefundEvents = (sql: Sql, query: RefundEventsQuery, { after, limit }: Page): Promise<RefundEvent[]> =>
  sql.query(lists[kindOf(query)], [...valuesOf(query), after?.at ?? null, after?.id ?? null, limit + 1]);

export const findRefundEventPlace = async (sql: Sql, query: RefundEventsQuery, id: string): Promise<Place | null> =>
  (await sql.query(places[kindOf(query)], [...valuesOf(query), id]))[0] ?? null;
