import type pg from "pg";

/** SQL that inserts the rows that the product would write: events, and their sums per hour and minute. */

type Span = { from: Date; to: Date };
type Merchants = Span & { merchants: string };

/** SQL: the nine base-36 digits that encode the time in an id. */
const stampOf = (time: string): string => {
  const digit = (power: number) =>
    `substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (trunc(extract(epoch FROM ${time}) * 1000)::bigint / ${36 ** power} % 36)::int, 1)`;
  return [8, 7, 6, 5, 4, 3, 2, 1, 0].map(digit).join(" || ");
};

const idOf = (prefix: string): string => `'${prefix}_' || lpad(i::text, 24, '0') || ${stampOf("t")}`;

/** SQL: for each merchant, the instants `t` of `count` events, in whole milliseconds and in time order. */
const instants = (merchants: string, count: number): string => `
  (SELECT m.id AS merchant_id, i, date_trunc('milliseconds', $1::timestamptz + (i - 0.5) * (($2::timestamptz - $1::timestamptz) / ${count})) AS t
     FROM (${merchants}) m, generate_series(1, ${count}) AS i) e`;

/** Events of the merchants' own meters, `count` for each merchant, spread over `meters`. */
export const fillOwnEvents = async (
  client: pg.Client,
  { merchants, from, to, count, meters }: Merchants & { count: number; meters: readonly string[] },
): Promise<void> => {
  const meter = `(ARRAY['${meters.join("','")}'])[1 + i % ${meters.length}]`;
  await client.query(
    `WITH kept AS (
       INSERT INTO usage_event (merchant_id, time, id, source, event_id, meter, subject, quantity, received_at)
       SELECT merchant_id, t, ${idOf("uev")}, 'bench', 'e' || i, ${meter}, 'customer-' || i % 1000, 1 + i % 9, t
         FROM ${instants(merchants, count)}
       RETURNING merchant_id, time, meter, quantity
     ) INSERT INTO usage_hour AS h (merchant_id, hour, meter, count, quantity)
       SELECT merchant_id, date_trunc('hour', time, 'UTC'), meter, count(*), sum(quantity) FROM kept GROUP BY 1, 2, 3
       ON CONFLICT (merchant_id, hour, meter) DO UPDATE SET count = h.count + excluded.count, quantity = h.quantity + excluded.quantity`,
    [from, to],
  );
};

/** The number of connections of a busy service. Each connection writes its own counts. */
const lanes = 8;

const lane = `extract(milliseconds FROM time)::bigint % ${lanes}`;

/** Calls of the service that are billed. */
export const fillCalls = async (
  client: pg.Client,
  { merchants, from, to, count, meter }: Merchants & { count: number; meter: string },
): Promise<void> => {
  await client.query(
    `WITH kept AS (
       INSERT INTO meter_event (merchant_id, meter, time, id, client_id)
       SELECT merchant_id, '${meter}', t, ${idOf("mev")}, 'cl_bench' FROM ${instants(merchants, count)} RETURNING merchant_id, time
     ) INSERT INTO meter_minute (merchant_id, meter, minute, lane, count)
       SELECT merchant_id, '${meter}', date_trunc('minute', time, 'UTC') AS minute, ${lane} AS lane, count(*) FROM kept
        GROUP BY merchant_id, minute, lane`,
    [from, to],
  );
};

export const fillVerifications = async (
  client: pg.Client,
  { merchants, from, to, count }: Merchants & { count: number },
): Promise<void> => {
  await client.query(
    `WITH kept AS (
       INSERT INTO verification (merchant_id, time, id, client_id)
       SELECT merchant_id, t, ${idOf("vrf")}, 'cl_bench' FROM ${instants(merchants, count)} RETURNING merchant_id, time
     ) INSERT INTO verification_minute (merchant_id, minute, lane, count)
       SELECT merchant_id, date_trunc('minute', time, 'UTC') AS minute, ${lane} AS lane, count(*) FROM kept
        GROUP BY merchant_id, minute, lane`,
    [from, to],
  );
};

/** Captured charges with the events that report the captures. */
export const fillCharges = async (
  client: pg.Client,
  { merchants, from, to, count }: Merchants & { count: number },
): Promise<void> => {
  await client.query(
    `WITH kept AS (
     INSERT INTO charge (id, merchant_id, mandate_id, mandate_version, merchant_client_id, agent_client_id, payer_id, state, amount, currency,
       amount_captured, capture_method, payer_presence, metadata, periods, processor, processor_account, payment_method_ref, created_at, updated_at, final_at)
     SELECT 'chg_' || md5(merchant_id || i), merchant_id, 'mdt_' || i % 7, 1, 'cl_1', 'cl_2', 'acc_1', 'succeeded', 100 + i % 900, 'EUR',
            100 + i % 900, 'automatic', 'in_session', '{}', '[]', 'simulator', 'acct', 'pm', t, t, t FROM ${instants(merchants, count)}
     RETURNING id, amount_captured, mandate_id, final_at
     ) INSERT INTO event (id, type, object_id, sequence, data, created_at, dispatched_at)
       SELECT 'evt_' || md5(id), 'charge.succeeded', id, 1,
              jsonb_build_object('amount_captured', amount_captured, 'mandate_id', mandate_id), final_at, final_at FROM kept`,
    [from, to],
  );
};

type Subscribers = Span & { prefix: string; count: number; plan: string };

/** Merchants on a plan, with the period from `from` to `to`. @returns SQL that selects their ids. */
export const fillSubscribers = async (
  client: pg.Client,
  { prefix, count, plan, from, to }: Subscribers,
): Promise<string> => {
  const merchants = `SELECT id FROM merchant WHERE id LIKE '${prefix}%'`;
  await client.query(
    `INSERT INTO merchant (id, display_name, legal_name, mcc, processor, processor_account, created_at)
     SELECT '${prefix}' || lpad(i::text, 6, '0'), 'Bench', 'Bench Ltd', '5411', 'simulator', 'acct_' || i, $1::timestamptz
       FROM generate_series(1, ${count}) AS i`,
    [from],
  );
  await client.query(
    `INSERT INTO billing_subscription (id, merchant_id, plan_id, plan_version, currency, status, anchor_date, interval, time_zone, created_at)
     SELECT 'bsub_' || m.id, m.id, $2, 1, 'EUR', 'active', ($1::timestamptz AT TIME ZONE 'UTC')::date, 'month', 'UTC', $1::timestamptz FROM (${merchants}) m`,
    [from, plan],
  );
  await client.query(
    `INSERT INTO billing_period (subscription_id, kind, "from", "to", whole_from, whole_to, number, plan_id, plan_version, currency, due_at)
     SELECT id, 'regular', $1::timestamptz, $2::timestamptz, $1::timestamptz, $2::timestamptz, 0, plan_id, 1, currency, $2::timestamptz
       FROM billing_subscription WHERE merchant_id IN (${merchants})`,
    [from, to],
  );
  return merchants;
};
