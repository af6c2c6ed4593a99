import { setTimeout as sleep } from "node:timers/promises";
import { type Db, statement } from "#server/data/client.ts";
import { type Answer, postJson } from "../../support/answers/wire.ts";
import { clientToken, type Merchant, registerMerchant } from "../../support/oauth/parties.ts";

type UsageEvent = { id: string; source: string; meter: string; quantity: number; time: string };

/** The events of a merchant that only this load uses. `acknowledged`: answered with 200. `problems`: in words. */
export type Usage = { merchantId: string; acknowledged: UsageEvent[]; problems: string[] };

type Sender = { merchant: Merchant; token: string; usage: Usage; isLate: () => boolean };

const batchesPerSecond = 2;
const perBatch = 5;
/** One in this number of batches is sent again after its answer. */
const perRepetition = 4;
const pauseMilliseconds = 300;
/** How long a batch without an answer is repeated after the end of the load. */
const patienceMilliseconds = 60_000;

const newBatch = (batch: number): UsageEvent[] =>
  Array.from({ length: perBatch }, (_, index) => ({
    id: `${batch}-${index}`,
    source: "failover",
    meter: `searches_${index % 2}`,
    quantity: 1 + ((batch + index) % 9),
    time: new Date().toISOString(),
  }));

const post = ({ merchant, token }: Sender, events: readonly UsageEvent[]): Promise<Answer | null> => {
  const headers = { authorization: `Bearer ${token}` };
  // No response: a process was killed, or the connection was lost.
  return postJson(`${merchant.baseUrl}/billing/usage-events`, { events }, headers).catch(() => null);
};

/**
 * Sends a batch until its response isn't 503. An attempt without a response, or with 503, may have recorded the batch.
 * @returns the response and the number of attempts; null if every attempt had 503 or no response
 */
const sendUntilAnswered = async (sender: Sender, events: readonly UsageEvent[]) => {
  for (let attempts = 1; ; attempts++) {
    const answer = await post(sender, events);
    if (answer && answer.status !== 503) return { answer, attempts };
    if (answer && !answer.headers.has("retry-after"))
      sender.usage.problems.push("usage events: 503 without Retry-After");
    if (sender.isLate()) return null;
    await sleep(pauseMilliseconds);
  }
};

const sendBatch = async (sender: Sender, batch: number): Promise<void> => {
  const { usage } = sender;
  const events = newBatch(batch);
  const complain = (answer: Answer | undefined) =>
    usage.problems.push(
      `usage batch ${batch}: ${answer ? `${answer.status} ${answer.text.slice(0, 300)}` : "no response"}`,
    );
  const first = await sendUntilAnswered(sender, events);
  if (first?.answer.status !== 200) return void complain(first?.answer);
  const { accepted, duplicates } = first.answer.json ?? {};
  const isWhole = Number(accepted) + Number(duplicates) === perBatch;
  if (!isWhole || (first.attempts === 1 && duplicates !== 0)) complain(first.answer);
  usage.acknowledged.push(...events);
  if (batch % perRepetition !== 0) return;
  const again = await sendUntilAnswered(sender, events);
  if (again?.answer.json?.["duplicates"] !== perBatch) complain(again?.answer);
};

/** Sends usage events at a steady rate. @returns a function that ends the load when all batches are answered. */
export const sendUsage = async (baseUrl: string): Promise<() => Promise<Usage>> => {
  const merchant = await registerMerchant(baseUrl, { metadata: { scope: "billing.write" } });
  const token = await clientToken(merchant, { scope: "billing.write" });
  const usage: Usage = { merchantId: merchant.merchantId, acknowledged: [], problems: [] };
  let deadline = Number.POSITIVE_INFINITY;
  const sender: Sender = { merchant, token, usage, isLate: () => Date.now() > deadline };
  const sent: Promise<void>[] = [];
  const startedAt = Date.now();
  const timer = setInterval(() => {
    const due = Math.floor(((Date.now() - startedAt) / 1000) * batchesPerSecond);
    while (sent.length < due) sent.push(sendBatch(sender, sent.length));
  }, 50);
  return async () => {
    clearInterval(timer);
    deadline = Date.now() + patienceMilliseconds;
    await Promise.all(sent);
    return usage;
  };
};

type Row = { id: string; meter: string; quantity: number };
const listEvents = statement<Row>(
  "list_usage_events_of_merchant",
  `SELECT event_id AS id, meter, quantity::float8 AS quantity FROM usage_event WHERE merchant_id = $1`,
);
type Sum = { meter: string; count: number; quantity: number };
const listSums = statement<Sum>(
  "list_usage_sums_of_merchant",
  `SELECT meter, sum(count)::float8 AS count, sum(quantity)::float8 AS quantity FROM usage_hour
   WHERE merchant_id = $1 GROUP BY meter ORDER BY meter`,
);

const sumOf = (meter: string, events: readonly { quantity: number }[]): Sum => ({
  meter,
  count: events.length,
  quantity: events.reduce((sum, { quantity }) => sum + quantity, 0),
});

/** Checks that each acknowledged event was recorded once and counted once. @returns what is wrong, in words. */
export const compareUsage = async (db: Db, { merchantId, acknowledged, problems }: Usage): Promise<string[]> => {
  const rows = await db.sql.query(listEvents, [merchantId]);
  const counts = Map.groupBy(rows, ({ id }) => id);
  const wrong = acknowledged.filter(({ id }) => counts.get(id)?.length !== 1);
  const byMeter = Map.groupBy(acknowledged, ({ meter }) => meter);
  const expected = [...byMeter]
    .map(([meter, events]) => sumOf(meter, events))
    .sort((one, other) => one.meter.localeCompare(other.meter));
  const sums = await db.sql.query(listSums, [merchantId]);
  return [
    ...problems,
    ...wrong.map(({ id }) => `usage event ${id} was acknowledged and is recorded ${counts.get(id)?.length ?? 0} times`),
    ...(JSON.stringify(sums) === JSON.stringify(expected)
      ? []
      : [`usage counts ${JSON.stringify(sums)} instead of ${JSON.stringify(expected)}`]),
  ];
};
