import { type Sql, statement } from "../../client.ts";
import { countActiveMandates, readChargeAmounts } from "./charge-sums.ts";
import { isSlow, type MeteredPeriod, type MeteredUsage, ownPrefix, slowAfter } from "./metered-events.ts";
import { divideBySums, findSummedDays, wholeOf } from "./summed-days.ts";

type UsageQuery = {
  merchantId: string;
  period: MeteredPeriod;
  /** of the charges */
  currency: string;
  /** whether meters without a currency are included */
  includeUncurrencied: boolean;
  /** events received at this time or later don't count; null: all count */
  receivedBefore: Date | null;
  /** see `MeteredQuery` */
  months?: readonly MeteredPeriod[];
  /** only these meters are read; default: all */
  meters?: ReadonlySet<string>;
};

type Sum = { meter: string; quantity: string };

// $1 merchant; $2 to $3 the period; $4 to $5 its full hours or minutes; $6 the cut-off, or the meters of calls. A
// merchant's own events that were received after the cut-off are subtracted. They are found in two parts: slow events
// through their index, and all others by their time, which is at most five minutes before the cut-off.
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
const unsummedBefore = "m.merchant_id = $1 AND m.minute >= $4::timestamptz AND m.minute < $7::timestamptz";
const unsummedAfter = "m.merchant_id = $1 AND m.minute >= $8::timestamptz AND m.minute < $5::timestamptz";

// $7 to $8 the days that the daily reconciliation has summed.
const sumCalls = statement<Sum>(
  "sum_billable_calls",
  `SELECT u.meter, sum(u.quantity)::text AS quantity FROM (
     ${verified("$2", "$4")} UNION ALL ${verified("$5", "$3")}
     UNION ALL SELECT 'verifications', m.count FROM verification_minute m WHERE 'verifications' = ANY ($6::text[]) AND ${unsummedBefore}
     UNION ALL SELECT 'verifications', m.count FROM verification_minute m WHERE 'verifications' = ANY ($6::text[]) AND ${unsummedAfter}
     UNION ALL (${called("$2", "$4")}) UNION ALL (${called("$5", "$3")})
     UNION ALL SELECT m.meter, m.count FROM meter_minute m WHERE m.meter = ANY ($6::text[]) AND ${unsummedBefore}
     UNION ALL SELECT m.meter, m.count FROM meter_minute m WHERE m.meter = ANY ($6::text[]) AND ${unsummedAfter}
     UNION ALL SELECT r.meter, r.metered_count FROM meter_reconciliation r
       WHERE r.merchant_id = $1 AND r.day >= $7::timestamptz AND r.day < $8::timestamptz AND r.meter = ANY ($6::text[])) u
   GROUP BY u.meter HAVING sum(u.quantity) <> 0`,
);

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;

const callNames = ["verifications", "tokens_issued", "introspections", "step_ups", "webhooks_delivered"];

/** `received`: the part of the period before the cut-off. `summed`: the days that are read from sums. */
type Received = Required<Pick<UsageQuery, "months">> &
  UsageQuery & { received: MeteredPeriod; summed: MeteredPeriod | null };

const readCalls = (sql: Sql, { merchantId, received, summed, meters }: Received): Promise<Sum[]> => {
  const calls = callNames.filter((name) => meters === undefined || meters.has(name));
  if (calls.length === 0) return Promise.resolve([]);
  const minutes = wholeOf(received, minuteMs);
  const { sumsFrom, sumsTo } = divideBySums(minutes, summed);
  const { from, to } = received;
  return sql.query(sumCalls, [merchantId, from, to, minutes.from, minutes.to, calls, sumsFrom, sumsTo]);
};

const readMandates = async (sql: Sql, query: Received): Promise<Sum[]> => {
  const { merchantId, received, summed, meters, months } = query;
  if (meters !== undefined && !meters.has("active_mandates")) return [];
  const count = await countActiveMandates(sql, { merchantId, period: received, summed, months });
  return count > 0n ? [{ meter: "active_mandates", quantity: String(count) }] : [];
};

const readOwn = async (sql: Sql, { merchantId, period, receivedBefore, meters }: Received): Promise<Sum[]> => {
  if (meters !== undefined && ![...meters].some((name) => name.startsWith(ownPrefix))) return [];
  const hours = wholeOf(period, hourMs);
  const span = [merchantId, period.from, period.to, hours.from, hours.to];
  return sql.query(sumOwn, [...span, receivedBefore ?? "infinity"]);
};

const noUsage: MeteredUsage = { quantity: 0n, amounts: [] };

const readCharges = (sql: Sql, { received, meters, ...query }: Received): Promise<MeteredUsage> => {
  const isWanted = meters === undefined || meters.has("successful_charges");
  return isWanted ? readChargeAmounts(sql, { ...query, period: received }) : Promise.resolve(noUsage);
};

/**
 * What a merchant used in a period, for an invoice in one currency: by meter, without unused meters. Counts are read
 * from sums per minute, hour and day. So the cost of this function depends on the length of the period and on the
 * number of different amounts and mandates. For events of the service, the time of receipt is the event's time.
 */
export const readBillableUsage = async (sql: Sql, query: UsageQuery): Promise<ReadonlyMap<string, MeteredUsage>> => {
  const { period, receivedBefore, includeUncurrencied } = query;
  const isCut = receivedBefore !== null && receivedBefore < period.to;
  const to = isCut ? receivedBefore : period.to;
  const received = to < period.from ? { from: period.from, to: period.from } : { from: period.from, to };
  const months = query.months ?? [period];
  const summed = await findSummedDays(sql, { from: months[0]?.from ?? period.from, to: received.to });
  const divided = { ...query, months, received, summed };
  const charges = await readCharges(sql, divided);
  const usage = new Map<string, MeteredUsage>();
  if (charges.quantity > 0n) usage.set("successful_charges", charges);
  if (!includeUncurrencied) return usage;
  for (const read of [readCalls, readMandates, readOwn]) {
    for (const { meter, quantity } of await read(sql, divided)) {
      usage.set(meter, { quantity: BigInt(quantity), amounts: [] });
    }
  }
  return usage;
};
