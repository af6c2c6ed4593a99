import type { Page, Place } from "../../kernel/pagination.ts";
import { instantOf } from "../../kernel/time/dated.ts";
import { using } from "../charges/charges.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

type Period = { from: Date; to: Date };

// Captured money in a period, by the instant at which the charge became final. This instant, the amount and the mandate
// never change afterwards, even after refunds and disputes.
const capturedCharges = `FROM charge c WHERE c.merchant_id = $1 AND c.final_at >= $2::timestamptz AND c.final_at < $3::timestamptz
    AND c.created_at < $3::timestamptz AND c.state IN ${using}`;
// Events of the merchant's own meters, by event time.
const ownEvents = (from: string, to: string) =>
  `FROM usage_event e WHERE e.merchant_id = $1 AND e.time >= ${from}::timestamptz AND e.time < ${to}::timestamptz`;

// Verdicts of verify-mandate, by business time.
const verified = (from: string, to: string) =>
  `FROM verification v WHERE v.merchant_id = $1 AND v.time >= ${from}::timestamptz AND v.time < ${to}::timestamptz`;

export type UsageSums = {
  mandates: number;
  verifications: string;
  amounts: { currency: string; count: number; amount: string }[];
  own: { meter: string; count: number; quantity: string }[];
};

const sum = statement<UsageSums>(
  "sum_usage",
  `WITH taken AS (SELECT c.mandate_id, c.currency, c.amount_captured ${capturedCharges})
   SELECT (SELECT count(DISTINCT mandate_id)::int FROM taken) AS mandates, coalesce((
     SELECT json_agg(json_build_object('currency', s.currency, 'count', s.count, 'amount', s.amount::text) ORDER BY s.currency)
       FROM (SELECT currency, count(*) AS count, sum(amount_captured) AS amount FROM taken GROUP BY currency) s), '[]') AS amounts,
   ((SELECT count(*) ${verified("$2", "$8")}) + (SELECT count(*) ${verified("$9", "$3")})
     + (SELECT coalesce(sum(m.count), 0) FROM verification_minute m
         WHERE m.merchant_id = $1 AND m.minute >= $8::timestamptz AND m.minute < $9::timestamptz))::text AS verifications, coalesce((
     SELECT json_agg(json_build_object('meter', o.meter, 'count', o.count, 'quantity', o.quantity::text) ORDER BY o.meter)
       FROM (SELECT u.meter, sum(u.count) AS count, sum(u.quantity) AS quantity FROM (
               SELECT e.meter, 1 AS count, e.quantity::numeric ${ownEvents("$2", "$6")}
               UNION ALL SELECT h.meter, h.count, h.quantity FROM usage_hour h
                 WHERE h.merchant_id = $1 AND h.hour >= $6::timestamptz AND h.hour < $7::timestamptz
               UNION ALL SELECT e.meter, 1, e.quantity ${ownEvents("$7", "$3")}) u
             WHERE $4::text IS NULL OR u.meter = $4 GROUP BY u.meter ORDER BY u.meter LIMIT $5::int) o), '[]') AS own`,
);

type SumsQuery = {
  merchantId: string;
  period: Period;
  /**
   * the part of the period that is read from hourly sums (own meters) and minute sums (verifications); the rest is read
   * event by event
   */
  hours: Period;
  minutes: Period;
  /** which of the merchant's own meters (null: all); returns `limit` + 1 if there are more */
  own: { meter: string | null; limit: number };
};

/** The usage of one merchant, with consistent figures. */
export const sumUsage = async (sql: Sql, query: SumsQuery): Promise<UsageSums> => {
  const { merchantId, period, hours, minutes, own } = query;
  const values = [
    merchantId,
    period.from,
    period.to,
    own.meter,
    own.limit + 1,
    hours.from,
    hours.to,
    minutes.from,
    minutes.to,
  ];
  return (await sql.query(sum, values))[0] ?? { mandates: 0, verifications: "0", amounts: [], own: [] };
};

/** A metered event: a charge, a verdict of verify-mandate, or an event of one of the merchant's own meters. */
export type UsageEvent = { id: string; time: Date; meter: string } & (
  | { kind: "charge"; of: { mandateId: string; currency: string; amount: number } }
  | {
      kind: "verification";
      /** `log` is null after its deletion, after 30 days */
      of: { mandateId: string | null; clientId: string; log: { reason: string | null; requestId: string } | null };
    }
  | {
      kind: "own";
      of: { source: string; eventId: string; subject: string | null; quantity: number; receivedMs: number };
    }
);

const meters = { charge: "'successful_charges'", verification: "'verifications'" };

// Each part is limited before the union, and starts at the cursor in its index. So the cost of a page doesn't depend on
// the length of the period or the position of the page.
const forward = (time: string, id: string) =>
  `AND ${time} >= greatest($2::timestamptz, $5::timestamptz) AND ($5::timestamptz IS NULL OR (${time}, ${id}) > ($5::timestamptz, $6::text))
      ORDER BY ${time}, ${id} LIMIT $7::int`;
const backward = (time: string, id: string) =>
  `AND ${time} <= $5::timestamptz AND (${time}, ${id}) < ($5::timestamptz, $6::text)
      ORDER BY ${time} DESC, ${id} DESC LIMIT $7::int`;
const listStatement = (name: string, page: typeof forward, direction: "ASC" | "DESC") =>
  statement<UsageEvent>(
    name,
    `SELECT * FROM (
     (SELECT c.id, c.final_at AS time, ${meters.charge} AS meter, 'charge' AS kind,
             json_build_object('mandateId', c.mandate_id, 'currency', c.currency, 'amount', c.amount_captured) AS of
        ${capturedCharges} AND ($4::text IS NULL OR $4 = ${meters.charge}) ${page("c.final_at", "c.id")})
     UNION ALL
     (SELECT v.id, v.time, ${meters.verification}, 'verification',
             json_build_object('mandateId', v.mandate_id, 'clientId', v.client_id, 'log', (
               SELECT json_build_object('reason', l.reason, 'requestId', l.request_id) FROM verification_log l
                WHERE l.merchant_id = v.merchant_id AND l.time = v.time AND l.id = v.id))
        ${verified("$2", "$3")} AND ($4::text IS NULL OR $4 = ${meters.verification}) ${page("v.time", "v.id")})
     UNION ALL
     (SELECT e.id, e.time, e.meter, 'own',
             json_build_object('source', e.source, 'eventId', e.event_id, 'subject', e.subject, 'quantity', e.quantity,
               'receivedMs', (extract(epoch FROM e.received_at) * 1000)::bigint)
        ${ownEvents("$2", "$3")} AND ($4::text IS NULL OR e.meter = $4) ${page("e.time", "e.id")})
   ) AS listed ORDER BY time ${direction}, id ${direction} LIMIT $7::int`,
  );
const listForward = listStatement("list_usage_events", forward, "ASC");
const listBackward = listStatement("list_usage_events_before", backward, "DESC");

type Listed = { merchantId: string; period: Period; meter: string | null; page: Page };

/** Oldest first; before a cursor, newest first. For one meter or all. Returns `limit` + 1 if there are more. */
export const findUsageEvents = (sql: Sql, { merchantId, period, meter, page }: Listed): Promise<UsageEvent[]> => {
  const place = page.after ?? page.before;
  const values = [merchantId, period.from, period.to, meter, place?.at ?? null, place?.id ?? null, page.limit + 1];
  return sql.query(page.before ? listBackward : listForward, values);
};

const chargePlace = statement<Place>(
  "find_charge_usage_place",
  `SELECT id, final_at AS at FROM charge
    WHERE id = $1 AND merchant_id = $2 AND state IN ${using} AND created_at BETWEEN $3::timestamptz AND $4::timestamptz`,
);
const placeIn = (table: "usage_event" | "verification") =>
  statement<Place>(
    `find_${table}_place`,
    `SELECT id, time AS at FROM ${table} WHERE id = $1 AND merchant_id = $2 AND time = $3::timestamptz`,
  );
const datedPlaces = { uev_: placeIn("usage_event"), vrf_: placeIn("verification") };

/**
 * The position of one of the merchant's events in such lists; null for a charge without a capture and for an unknown
 * id.
 */
export const findUsagePlace = async (
  sql: Sql,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<Place | null> => {
  const prefix = id.slice(0, 4);
  const rows =
    prefix === "uev_" || prefix === "vrf_"
      ? await sql.query(datedPlaces[prefix], [id, merchantId, instantOf(id)])
      : await sql.query(chargePlace, [id, merchantId, ...spanOf(id)]);
  return rows[0] ?? null;
};
