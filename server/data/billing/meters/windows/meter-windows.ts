import { using } from "../../../charges/charges.ts";
import { type Sql, type Statement, statement } from "../../../client.ts";
import { type EventSource, ownPrefix, sourceOf } from "../metered-events.ts";

/**
 * The usage of one meter in one window. `slot` counts from 1. Each currency has its own row, with its sum in `amount`.
 */
export type MeterWindow = { slot: number; currency: string | null; quantity: string; amount: string | null };

// $1 merchant; $2 the bounds of the windows; $3 the hours or minutes that a bound divides, whose events are counted one
// by one; $4 the meter. Each source has its own statement, so that a meter is read without the others.
const first = "($2::timestamptz[])[1]";
const last = "($2::timestamptz[])[cardinality($2::timestamptz[])]";
const slotOf = (time: string) => `width_bucket(${time}, $2::timestamptz[])`;
const inWindows = (time: string) => `${time} >= ${first} AND ${time} < ${last}`;
const whole = (time: string) => `${inWindows(time)} AND ${time} <> ALL ($3::timestamptz[])`;
const divided = (time: string, unit: "hour" | "minute") =>
  `${time} >= greatest(u.start, ${first}) AND ${time} < least(u.start + interval '1 ${unit}', ${last})`;
const sumOf = (rows: string) =>
  `SELECT slot, NULL::text AS currency, sum(quantity)::text AS quantity, NULL::text AS amount FROM (${rows}) r GROUP BY slot ORDER BY slot`;

const texts: Readonly<Record<EventSource, string>> = {
  own: sumOf(
    `SELECT ${slotOf("h.hour")} AS slot, h.quantity FROM usage_hour h WHERE h.merchant_id = $1 AND h.meter = $4 AND ${whole("h.hour")}
     UNION ALL SELECT ${slotOf("e.time")}, e.quantity FROM unnest($3::timestamptz[]) AS u (start)
       JOIN usage_event e ON e.merchant_id = $1 AND e.meter = $4 AND ${divided("e.time", "hour")}`,
  ),
  verification: sumOf(
    `SELECT ${slotOf("m.minute")} AS slot, m.count AS quantity FROM verification_minute m
      WHERE m.merchant_id = $1 AND $4 = 'verifications' AND ${whole("m.minute")}
     UNION ALL SELECT ${slotOf("v.time")}, 1 FROM unnest($3::timestamptz[]) AS u (start)
       JOIN verification v ON v.merchant_id = $1 AND ${divided("v.time", "minute")}`,
  ),
  call: sumOf(
    `SELECT ${slotOf("m.minute")} AS slot, m.count AS quantity FROM meter_minute m
      WHERE m.merchant_id = $1 AND m.meter = $4 AND ${whole("m.minute")}
     UNION ALL SELECT ${slotOf("e.time")}, 1 FROM unnest($3::timestamptz[]) AS u (start)
       JOIN meter_event e ON e.merchant_id = $1 AND e.meter = $4 AND ${divided("e.time", "minute")}`,
  ),
  charge: `SELECT ${slotOf("c.final_at")} AS slot, c.currency::text, count(*)::text AS quantity, sum(c.amount_captured)::text AS amount
     FROM charge c WHERE c.merchant_id = $1 AND ${inWindows("c.final_at")} AND c.created_at < ${last} AND c.state IN ${using}
      AND $3::timestamptz[] IS NOT NULL AND $4::text IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2`,
  mandate: `SELECT ${slotOf("c.final_at")} AS slot, NULL::text AS currency, count(DISTINCT c.mandate_id)::text AS quantity, NULL::text AS amount
     FROM charge c WHERE c.merchant_id = $1 AND ${inWindows("c.final_at")} AND c.created_at < ${last} AND c.state IN ${using}
      AND $3::timestamptz[] IS NOT NULL AND $4::text IS NOT NULL
    GROUP BY 1 ORDER BY 1`,
};
const statements = Object.fromEntries(
  Object.entries(texts).map(([source, text]) => [source, statement<MeterWindow>(`sum_windows_${source}`, text)]),
) as Readonly<Record<EventSource, Statement<MeterWindow>>>;

type Query = {
  merchantId: string;
  /** a built-in meter, or `own:NAME` */
  meter: string;
  /** the bounds of adjacent windows: the start of each, and the end of the last */
  bounds: readonly Date[];
  /** the starts of the hours and minutes that a bound divides; the others are read from sums */
  divided: { hours: readonly Date[]; minutes: readonly Date[] };
};

/** Windows without usage have no rows. */
export const sumMeterWindows = (
  sql: Sql,
  { merchantId, meter, bounds, divided: units }: Query,
): Promise<MeterWindow[]> => {
  const source = sourceOf(meter);
  const starts = source === "own" ? units.hours : units.minutes;
  const name = source === "own" ? meter.slice(ownPrefix.length) : meter;
  const toTexts = (instants: readonly Date[]) => instants.map((at) => at.toISOString());
  return sql.query(statements[source], [merchantId, toTexts(bounds), toTexts(starts), name]);
};

const list = statement<{ meter: string }>(
  "list_own_meters",
  `SELECT DISTINCT meter FROM usage_hour
    WHERE merchant_id = $1 AND hour > $2::timestamptz - interval '1 hour' AND hour < $3::timestamptz
    ORDER BY meter LIMIT 200`,
);

/** The merchant's own meters with usage in the hours (UTC) of a period, by name; at most 200. */
export const listOwnMeters = async (
  sql: Sql,
  merchantId: string,
  { from, to }: { from: Date; to: Date },
): Promise<string[]> => (await sql.query(list, [merchantId, from, to])).map(({ meter }) => `${ownPrefix}${meter}`);
