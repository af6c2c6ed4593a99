import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connectDatabase } from "#server/data/client.ts";
import { insertWebhookDeliveries, type NewWebhookDelivery } from "#server/data/webhooks/webhook-deliveries.ts";
import { newId } from "#server/kernel/ids.ts";
import { untilDelivered } from "../cost/measured-service.ts";
import type { Product } from "../servers/product.ts";

/**
 * Deliveries are inserted in chunks of this size, the next chunk when fewer are pending. Chunks are small, because a
 * claim reads every pending delivery.
 */
const chunk = 50;
const pollMilliseconds = 50;

/**
 * Sends events of charges again, each as a new delivery. The events must have been delivered before.
 * @returns the duration in seconds.
 */
export const sendDeliveries = async (product: Product, count: number): Promise<number> => {
  const db = connectDatabase(product.databaseUrl, 1);
  const client = new pg.Client({ connectionString: product.databaseUrl });
  await client.connect();
  const { rows: sent } = await client.query<NewWebhookDelivery>(
    `SELECT endpoint_id AS "endpointId", event_id AS "eventId", event_at AS "eventAt", event_type AS "eventType",
       object_id AS "objectId", sequence FROM webhook_delivery WHERE state = 'delivered' AND replay_of IS NULL LIMIT $1`,
    [count],
  );
  if (sent.length === 0) throw new Error("no event was delivered");
  const startedAt = performance.now();
  for (let begun = 0; begun < count; ) {
    const size = Math.min(chunk, count - begun);
    const copies = Array.from({ length: size }, (_, index) => sent[(begun + index) % sent.length]);
    await insertWebhookDeliveries(
      db.sql,
      copies.flatMap((one) => (one ? [{ ...one, id: newId("whd"), state: "pending" as const }] : [])),
      { at: new Date() },
    );
    begun += size;
    while ((await countPending(client)) >= chunk) await sleep(pollMilliseconds);
  }
  await untilDelivered(product, pollMilliseconds);
  const seconds = (performance.now() - startedAt) / 1000;
  await client.end();
  await db.close();
  return seconds;
};

const countPending = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    "SELECT count(*) FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at IS NOT NULL",
  );
  return Number(rows[0]?.count);
};
