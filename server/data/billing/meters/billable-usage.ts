import { setImmediate as nextTurn } from "node:timers/promises";
import { using } from "../../charges/charges.ts";
import { type Sql, statement } from "../../client.ts";
import { boundsOf, isSlow, type MeteredPeriod, ownPrefix, slowAfter } from "./metered-events.ts";

/** The usage of one meter. `amounts`: for charges, each different amount with its number of charges. */
export type MeteredUsage = { quantity: bigint; amounts: readonly { amountMinor: bigint; count: bigint }[] };

type UsageQuery = {
  merchantId: string;
  period: MeteredPeriod;
  /** of the charges */
  currency: string;
  /** whether the meters without a currency count too */
  includeUncurrencied: boolean;
  /** events received at this time or later don't count; null: all count */
  receivedBefore: Date | null;
  /** see `MeteredQuery` */
  months?: readonly MeteredPeriod[];
  /** only these are read; default: all */
  meters?: ReadonlySet<string>;
};

type Sum = { meter: string; quantity: string };

const wholeOf = ({ from, to }: MeteredPeriod, unitMs: number): MeteredPeriod => {
  const begins = Math.ceil(from.getTime() / unitMs) * unitMs;
  const ends = Math.floor(to.getTime() / unitMs) * unitMs;
  return begins < ends ? { from: new Date(begins), to: new Date(ends) } : { from, to: from };
};

// $1 merchant; $2 to $3 the period; $4 to $5 its full hours or minutes; $6 the cut-off, or the meters of calls. Own
// events that were received after the cut-off are subtracted. They are in the index of slow events, or their time is in
// the last five minutes.
const own = (from: string, to: string) =>
  `SELECT e.meter, e.quantity::numeric FROM usage_event e
    WHERE e.merchant_id = $1 AND e.time >= ${from}::timestamptz AND e.time < ${to}::timestamptz`;
const verified = (from: string, to: string) =>
  `SELECT 'verifications' AS meter, count(*) AS quantity FROM verification v
    WHERE v.merchant_id = $1 AND 'verifications' = ANY ($6::text[]) AND v.time >= ${from}::timestamptz AND v.time < ${to}::timestamptz`;
const called = (from: string, to: string) =>
  `SELECT e.meter, count(*) AS quantity FROM meter_event e
    WHERE e.merchant_id = $1 AND e.meter = ANY ($6::text[]) AND e.time >= ${from}::timestamptz AND e.time < ${to}::timestamptz
    GROUP BY e.meter`;

const sumOwn = statement<Sum>(
  "sum_billable_own_usage",
  `SELECT '${ownPrefix}' || u.meter AS meter, sum(u.quantity)::text AS quantity FROM (
     ${own("$2", "$4")}
     UNION ALL SELECT h.meter, h.quantity FROM usage_hour h
       WHERE h.merchant_id = $1 AND h.hour >= $4::timestamptz AND h.hour < $5::timestamptz
     UNION ALL ${own("$5", "$3")}
     UNION ALL SELECT e.meter, -e.quantity FROM usage_event e
       WHERE ${slowAfter("$6")}
     UNION ALL SELECT e.meter, -e.quantity FROM usage_event e
       WHERE e.merchant_id = $1 AND e.time >= greatest($2::timestamptz, least($3::timestamptz, $6::timestamptz) - interval '5 minutes')
         AND e.time < $3::timestamptz AND e.received_at >= $6::timestamptz AND NOT ${isSlow}) u
   GROUP BY u.meter HAVING sum(u.quantity) <> 0`,
);

/** Minutes `m` of the period before and after the days that are summed. */
const unsummedBefore = `m.merchant_id = $1 AND m.minute >= $4::timestamptz
       AND m.minute < coalesce((SELECT "from" FROM summed), $5::timestamptz)`;
const unsummedAfter = `m.merchant_id = $1 AND m.minute >= (SELECT "to" FROM summed) AND m.minute < $5::timestamptz`;

// $7 to $8 the full UTC days. The daily reconciliation has summed the minutes of past days: a period is read from these
// sums, if they have no gap, and from the minutes of the other days.
const sumCalls = statement<Sum>(
  "sum_billable_calls",
  `WITH summed AS (
     SELECT min(day) AS "from", max(day) + interval '1 day' AS "to" FROM meter_reconciliation_day
      WHERE day >= $7::timestamptz AND day < $8::timestamptz AND checked_at >= day + interval '25 hours'
     HAVING count(*) * interval '1 day' = max(day) - min(day) + interval '1 day'
   ) SELECT u.meter, sum(u.quantity)::text AS quantity FROM (
     ${verified("$2", "$4")} UNION ALL ${verified("$5", "$3")}
     UNION ALL SELECT 'verifications', m.count FROM verification_minute m WHERE 'verifications' = ANY ($6::text[]) AND ${unsummedBefore}
     UNION ALL SELECT 'verifications', m.count FROM verification_minute m WHERE 'verifications' = ANY ($6::text[]) AND ${unsummedAfter}
     UNION ALL (${called("$2", "$4")}) UNION ALL (${called("$5", "$3")})
     UNION ALL SELECT m.meter, m.count FROM meter_minute m WHERE m.meter = ANY ($6::text[]) AND ${unsummedBefore}
     UNION ALL SELECT m.meter, m.count FROM meter_minute m WHERE m.meter = ANY ($6::text[]) AND ${unsummedAfter}
     UNION ALL SELECT r.meter, r.metered_count FROM meter_reconciliation r, summed s
       WHERE r.merchant_id = $1 AND r.day >= s."from" AND r.day < s."to" AND r.meter = ANY ($6::text[])) u
   GROUP BY u.meter HAVING sum(u.quantity) <> 0`,
);

// Amounts come in 64 rows, so that parsing them never blocks the event loop for long. They are grouped by hashing:
// sorting a million charges takes longer than counting them.
const groupAmounts = statement<{ amounts: string }>(
  "group_captured_amounts",
  `SELECT string_agg(amount || ' ' || count, ',') AS amounts FROM (
     SELECT amount_captured AS amount, count(*) AS count FROM charge c
      WHERE c.merchant_id = $1 AND c.final_at >= $2::timestamptz AND c.final_at < $3::timestamptz AND c.created_at < $3::timestamptz
        AND c.currency = $4 AND c.state IN ${using}
      GROUP BY amount_captured) g GROUP BY amount % 64`,
);

// A mandate counts in the period that contains its first charge of the month. $2 and $3 the period, $4 the bounds of the
// months.
const countMandates = statement<{ count: bigint }>(
  "count_active_mandates",
  `SELECT count(*) AS count FROM (
     SELECT min(c.final_at) AS time FROM charge c
      WHERE c.merchant_id = $1 AND c.final_at >= ($4::timestamptz[])[1] AND c.created_at < $3::timestamptz
        AND c.final_at < least($3::timestamptz, ($4::timestamptz[])[cardinality($4::timestamptz[])]) AND c.state IN ${using}
      GROUP BY c.mandate_id, width_bucket(c.final_at, $4::timestamptz[])) f
   WHERE f.time >= $2::timestamptz AND f.time < $3::timestamptz`,
);

// The same for a whole month.
const countMandatesOfMonth = statement<{ count: bigint }>(
  "count_active_mandates_of_month",
  `SELECT count(*) AS count FROM (
     SELECT FROM charge c
      WHERE c.merchant_id = $1 AND c.final_at >= $2::timestamptz AND c.final_at < $3::timestamptz
        AND c.created_at < $3::timestamptz AND c.state IN ${using}
      GROUP BY c.mandate_id) m`,
);

const readMandates = async (sql: Sql, { merchantId, period, months = [period] }: UsageQuery): Promise<bigint> => {
  const values = [merchantId, period.from, period.to];
  const isMonth = months.length === 1 && months[0]?.from.getTime() === period.from.getTime();
  const [row] = isMonth
    ? await sql.query(countMandatesOfMonth, values)
    : await sql.query(countMandates, [...values, boundsOf(months)]);
  return row?.count ?? 0n;
};

const readCharges = async (sql: Sql, { merchantId, period, currency }: UsageQuery): Promise<MeteredUsage> => {
  const rows = await sql.query(groupAmounts, [merchantId, period.from, period.to, currency]);
  const amounts: { amountMinor: bigint; count: bigint }[] = [];
  let quantity = 0n;
  for (const row of rows) {
    for (const text of row.amounts.split(",")) {
      const space = text.indexOf(" ");
      const count = BigInt(text.slice(space + 1));
      amounts.push({ amountMinor: BigInt(text.slice(0, space)), count });
      quantity += count;
    }
    await nextTurn();
  }
  return { quantity, amounts };
};

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

const callNames = ["verifications", "tokens_issued", "introspections", "step_ups", "webhooks_delivered"];

/** A statement for each kind of meter that is wanted. */
const readUncurrencied = async (sql: Sql, query: UsageQuery, received: MeteredPeriod): Promise<Sum[]> => {
  const { merchantId, meters } = query;
  const calls = callNames.filter((name) => meters === undefined || meters.has(name));
  const sums: Sum[] = [];
  if (calls.length > 0) {
    const minutes = wholeOf(received, 60 * 1000);
    const days = wholeOf(received, dayMs);
    const span = [merchantId, received.from, received.to, minutes.from, minutes.to];
    sums.push(...(await sql.query(sumCalls, [...span, calls, days.from, days.to])));
  }
  if (meters === undefined || meters.has("active_mandates")) {
    const mandates = await readMandates(sql, { ...query, period: received });
    if (mandates > 0n) sums.push({ meter: "active_mandates", quantity: String(mandates) });
  }
  const wantsOwn = meters === undefined || [...meters].some((name) => name.startsWith(ownPrefix));
  return wantsOwn ? [...sums, ...(await readOwn(sql, query))] : sums;
};

const readOwn = (sql: Sql, { merchantId, period, receivedBefore }: UsageQuery): Promise<Sum[]> => {
  const hours = wholeOf(period, hourMs);
  const span = [merchantId, period.from, period.to, hours.from, hours.to];
  return sql.query(sumOwn, [...span, receivedBefore ?? "infinity"]);
};

const noUsage: MeteredUsage = { quantity: 0n, amounts: [] };
const wantsCharges = ({ meters }: UsageQuery) => meters === undefined || meters.has("successful_charges");

/**
 * What a merchant used in a period, for an invoice in one currency: by meter, without meters that weren't used. Counts
 * come from the sums per hour and minute, so the cost grows with the period and the number of different amounts. For
 * events of the service, the time of receipt is the event's time.
 */
export const readBillableUsage = async (sql: Sql, query: UsageQuery): Promise<ReadonlyMap<string, MeteredUsage>> => {
  const { period, receivedBefore, includeUncurrencied } = query;
  const isCut = receivedBefore !== null && receivedBefore < period.to;
  const to = isCut ? receivedBefore : period.to;
  const received = to < period.from ? { from: period.from, to: period.from } : { from: period.from, to };
  const charges = wantsCharges(query) ? await readCharges(sql, { ...query, period: received }) : noUsage;
  const sums = includeUncurrencied ? await readUncurrencied(sql, query, received) : [];
  const usage = new Map<string, MeteredUsage>();
  if (charges.quantity > 0n) usage.set("successful_charges", charges);
  for (const { meter, quantity } of sums) usage.set(meter, { quantity: BigInt(quantity), amounts: [] });
  return usage;
};
