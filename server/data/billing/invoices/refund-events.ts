import type { Page, Place } from "../../../kernel/pagination.ts";
import { type Sql, statement } from "../../client.ts";
import type { LineEvent } from "../meters/line-events.ts";
import { isCreditedBy } from "../subscriptions/crediting-subscription.ts";

/**
 * The refunds of an invoice line: made in the invoice's period, of charges that were captured in the line's period.
 * `subscriptionId`: of the invoice.
 */
export type RefundEventsQuery = {
  merchantId: string;
  subscriptionId: string;
  currency: string;
  refunded: { from: Date; to: Date };
  charged: { from: Date; to: Date };
};

const refunds = `SELECT r.id, r.given_at AS time, 1::bigint AS quantity, r.amount, c.currency::text AS currency, r.charge_id AS subject,
          c.amount_captured AS "capturedMinor"
   FROM refund r JOIN charge c ON c.id = r.charge_id AND c.merchant_id = r.merchant_id AND c.created_at <= r.created_at
   JOIN billing_subscription s ON s.merchant_id = r.merchant_id
   JOIN billing_period p ON p.subscription_id = s.id AND p.kind = 'regular' AND p."from" <= c.final_at AND c.final_at < p."to"
  WHERE r.merchant_id = $1 AND c.currency = $2 AND r.status = 'succeeded'
    AND r.given_at >= $3::timestamptz AND r.given_at < $4::timestamptz
    AND c.final_at >= $5::timestamptz AND c.final_at < $6::timestamptz AND ${isCreditedBy("$7", "r.given_at")}`;

export type RefundEvent = LineEvent & { capturedMinor: bigint };

const list = statement<RefundEvent>(
  "list_refund_line_events",
  `SELECT * FROM (${refunds}) e WHERE $8::timestamptz IS NULL OR (e.time, e.id) > ($8::timestamptz, $9::text)
    ORDER BY e.time, e.id LIMIT $10::int`,
);
const findPlace = statement<Place>(
  "find_refund_line_event",
  `SELECT e.id, e.time AS at FROM (${refunds}) e WHERE e.id = $8`,
);

const valuesOf = ({ merchantId, subscriptionId, currency, refunded, charged }: RefundEventsQuery) => [
  merchantId,
  currency,
  refunded.from,
  refunded.to,
  charged.from,
  charged.to,
  subscriptionId,
];

/** Oldest first. Returns `limit` + 1 if there are more. */
export const findRefundEvents = (sql: Sql, query: RefundEventsQuery, { after, limit }: Page): Promise<RefundEvent[]> =>
  sql.query(list, [...valuesOf(query), after?.at ?? null, after?.id ?? null, limit + 1]);

export const findRefundEventPlace = async (sql: Sql, query: RefundEventsQuery, id: string): Promise<Place | null> =>
  (await sql.query(findPlace, [...valuesOf(query), id]))[0] ?? null;
