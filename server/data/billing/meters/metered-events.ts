import { using } from "../../charges/charges.ts";
import type { SqlValue } from "../../client.ts";

/** Half-open. */
export type MeteredPeriod = { from: Date; to: Date };

/** The usage of one meter. `amounts`: for charges, each different amount with its number of charges. */
export type MeteredUsage = { quantity: bigint; amounts: readonly { amountMinor: bigint; count: bigint }[] };

/**
 * Selects the events of a merchant that a line counts: the events of one meter in a period that were received in time.
 */
export type MeteredQuery = {
  merchantId: string;
  /** a built-in meter, or `own:NAME` */
  meter: string;
  period: MeteredPeriod;
  /** null: no bound. For events of the service, the time of receipt is the event's time. */
  receivedBefore: Date | null;
  /** for late events: only those received at this time or later */
  receivedFrom?: Date | null;
  /** of charges; null: all */
  currency?: string | null;
  /**
   * the months, in order and without gaps; an active mandate counts once in each of them; default: once in the period.
   * A mandate counts in the period that contains its first charge of the month
   */
  months?: readonly MeteredPeriod[];
};

export type EventSource = "own" | "verification" | "call" | "charge" | "mandate";

export const ownPrefix = "own:";

export const sourceOf = (meter: string): EventSource => {
  if (meter.startsWith(ownPrefix)) return "own";
  if (meter === "verifications") return "verification";
  if (meter === "successful_charges") return "charge";
  return meter === "active_mandates" ? "mandate" : "call";
};

/** Whether own event `e` is in the index of slow events. */
export const isSlow = "(e.received_at - e.time > interval '5 minutes')";

/**
 * The condition for slow events `e` of merchant $1 in the period from $2 to $3 that were received at `cutOff` or later.
 * An event is accepted for 35 days. `e.time + interval '0'` prevents PostgreSQL from reading the whole period in the
 * primary key instead of the index of slow events.
 */
export const slowAfter = (cutOff: string): string =>
  `e.merchant_id = $1 AND e.received_at >= ${cutOff}::timestamptz AND e.received_at < $3::timestamptz + interval '36 days' AND ${isSlow}
        AND e.time + interval '0' >= $2::timestamptz AND e.time + interval '0' < $3::timestamptz`;

const within = (time: string) =>
  `${time} >= $2::timestamptz AND ${time} < $3::timestamptz
    AND ($4::timestamptz IS NULL OR ${time} < $4) AND ($5::timestamptz IS NULL OR ${time} >= $5)`;

// Columns: id, time, quantity, amount, currency, subject. Parameters: $1 merchant, $2 and $3 the period, $4 and $5 the
// bounds of the time of receipt, $6 depends on the source.
const sources: Readonly<Record<EventSource, string>> = {
  own: `SELECT e.id, e.time, e.quantity, NULL::bigint AS amount, NULL::text AS currency, e.subject
     FROM usage_event e WHERE e.merchant_id = $1 AND e.time >= $2::timestamptz AND e.time < $3::timestamptz AND e.meter = $6
      AND ($4::timestamptz IS NULL OR e.received_at < $4) AND ($5::timestamptz IS NULL OR e.received_at >= $5)`,
  verification: `SELECT v.id, v.time, 1::bigint AS quantity, NULL::bigint AS amount, NULL::text AS currency, v.mandate_id AS subject
     FROM verification v WHERE v.merchant_id = $1 AND ${within("v.time")} AND $6::text = 'verifications'`,
  call: `SELECT e.id, e.time, 1::bigint AS quantity, NULL::bigint AS amount, NULL::text AS currency, e.subject
     FROM meter_event e WHERE e.merchant_id = $1 AND e.meter = $6 AND ${within("e.time")}`,
  charge: `SELECT c.id, c.final_at AS time, 1::bigint AS quantity, c.amount_captured AS amount, c.currency::text, c.mandate_id AS subject
     FROM charge c WHERE c.merchant_id = $1 AND ${within("c.final_at")} AND c.created_at < $3::timestamptz AND c.state IN ${using}
      AND ($6::text IS NULL OR c.currency = $6)`,
  // The event is the first charge of the mandate in the month.
  mandate: `SELECT f.id, f.time, 1::bigint AS quantity, NULL::bigint AS amount, NULL::text AS currency, f.subject FROM (
       SELECT DISTINCT ON (month, c.mandate_id) c.id, c.final_at AS time, c.mandate_id AS subject,
              width_bucket(c.final_at, $6::timestamptz[]) AS month
         FROM charge c
        WHERE c.merchant_id = $1 AND c.final_at >= ($6::timestamptz[])[1] AND c.created_at < $3::timestamptz
          AND c.final_at < least($3::timestamptz, ($6::timestamptz[])[cardinality($6::timestamptz[])]) AND c.state IN ${using}
        ORDER BY month, c.mandate_id, c.final_at, c.id) f
     WHERE ${within("f.time")}`,
};

/** SQL that selects a source's events. Further parameters of the statement start at $7. */
export const eventsIn = (source: EventSource): string => sources[source];

/** The bounds of adjacent months: the start of each, and the end of the last. */
const boundsOf = (months: readonly MeteredPeriod[]): string[] => [
  ...months.map(({ from }) => from.toISOString()),
  ...months.slice(-1).map(({ to }) => to.toISOString()),
];

const sixthOf = ({ meter, currency = null, months, period }: MeteredQuery): SqlValue => {
  const source = sourceOf(meter);
  if (source === "own") return meter.slice(ownPrefix.length);
  if (source === "charge") return currency;
  return source === "mandate" ? boundsOf(months ?? [period]) : meter;
};

/** The first six parameters. */
export const meteredValuesOf = (query: MeteredQuery): SqlValue[] => [
  query.merchantId,
  query.period.from,
  query.period.to,
  query.receivedBefore,
  query.receivedFrom ?? null,
  sixthOf(query),
];
