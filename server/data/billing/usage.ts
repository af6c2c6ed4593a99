import type { Page, Place } from "../../kernel/pagination.ts";
import { instantOf } from "../../kernel/time/dated.ts";
import { using } from "../charges/charges.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import { type CallMeter, callMeters } from "./meters/metering.ts";

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

/**
 * A metered event: a charge, a verdict of verify-mandate, another call, or an event of one of the merchant's own
 * meters.
 */
export type UsageEvent = { id: string; time: Date } & (
  | { kind: "charge"; meter: string; of: { mandateId: string; currency: string; amount: number } }
  | {
      kind: "verification";
      meter: string;
      /** `log` is deleted after 30 days, and is null from then on */
      of: { mandateId: string | null; clientId: string; log: { reason: string | null; requestId: string } | null };
    }
  | {
      kind: "call";
      meter: CallMeter;
      /** `subject`: the charge or the webhook delivery */
      of: { clientId: string | null; subject: string | null };
    }
  | {
      kind: "own";
      meter: string;
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
     (SELECT e.id, e.time, e.meter, 'call', json_build_object('clientId', e.client_id, 'subject', e.subject)
        FROM unnest(${callMeters}) AS called (meter) CROSS JOIN LATERAL (
          SELECT e.id, e.time, e.meter, e.client_id, e.subject FROM meter_event e
           WHERE e.merchant_id = $1 AND e.meter = called.meter COLLATE "C" AND e.time >= $2::timestamptz AND e.time < $3::timestamptz
             ${page("e.time", "e.id")}) e
       WHERE $4::text IS NULL OR called.meter = $4)
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

/** Oldest first; for a page before a cursor, newest first. Returns `limit` + 1 events if there are more. */
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
const placeIn = (table: "usage_event" | "verification" | "meter_event") =>
  statement<Place>(
    `find_${table}_place`,
    `SELECT id, time AS at FROM ${table} WHERE id = $1 AND merchant_id = $2 AND time = $3::timestamptz`,
  );
const datedPlaces = {
  uev_: placeIn("usage_event"),
  vrf_: placeIn("verification"),
  mev_: placeIn("meter_event"),
};
const isDated = (prefix: string): prefix is keyof typeof datedPlaces => Object.hasOwn(datedPlaces, prefix);

/**
 * The position of one of the merchant's events in these lists; null for a charge that wasn't captured and for an
 * unknown id.
 */
export const findUsagePlace = async (
  sql: Sql,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<Place | null> => {
  const prefix = id.slice(0, 4);
  const rows = isDated(prefix)
    ? await sql.query(datedPlaces[prefix], [id, merchantId, instantOf(id)])
    : await sql.query(chargePlace, [id, merchantId, ...spanOf(id)]);
  return rows[0] ?? null;
};
