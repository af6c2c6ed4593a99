import { type Db, statement } from "#server/data/client.ts";
import { createRandom } from "../malformed/random.ts";
import {
  accepts,
  answers,
  delays,
  loses,
  type Received,
  type WebhookReceiver,
} from "../support/peers/webhook-receiver.ts";
import type { MandatePool } from "./mandate-pool.ts";

/** Sends two answers to one request on the same connection, which no server may do. */
const answersTwice = (_received: Received, response: Parameters<typeof accepts>[1]): void => {
  const { socket } = response;
  response.writeHead(204).end(() => socket?.write("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n"));
};

/** Loses, refuses, delays and repeats answers: often at an event's first attempt, rarely at its second, never later. */
export const misbehave = (receiver: WebhookReceiver, seed: number): void => {
  const random = createRandom(seed, -1);
  const seen = new Map<string, number>();
  receiver.behave((received, response) => {
    const { id } = received.event;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    const draw = random.below(100) * (count === 1 ? 1 : count === 2 ? 10 : 100);
    if (draw < 4) return loses(received, response);
    if (draw < 7) return answers(503)(received, response);
    if (draw < 10) return delays(1_500)(received, response);
    if (draw < 12) return answersTwice(received, response);
    return accepts(received, response);
  });
};

type Expected = { id: string; objectId: string; sequence: number; clientId: string };
const list = statement<Expected>(
  "list_events_of_clients",
  `SELECT e.id, e.object_id AS "objectId", e.sequence, coalesce(c.agent_client_id, m.client_id) AS "clientId"
   FROM event e LEFT JOIN refund r ON r.id = e.object_id LEFT JOIN dispute d ON d.id = e.object_id
   LEFT JOIN charge c ON c.id = coalesce(r.charge_id, d.charge_id, e.object_id) LEFT JOIN mandate m ON m.id = e.object_id
   WHERE coalesce(c.agent_client_id, m.client_id) = ANY ($1::text[])`,
);

/**
 * Checks that every event arrived at its client and at no other client. For each object, the first arrivals of its
 * events must be in order.
 */
export const compareDeliveries = async (
  db: Db,
  pool: MandatePool,
  receiver: WebhookReceiver,
): Promise<{ problems: string[]; events: number }> => {
  const paths = new Map(
    pool.all.map(({ agent }) => [agent.id, new URL(String(agent.registration["webhook_uri"])).pathname]),
  );
  const events = await db.sql.query(list, [[...paths.keys()]]);
  const known = new Map(events.map((event) => [event.id, event]));
  const problems: string[] = [];
  const arrived = new Set<string>();
  const newest = new Map<string, number>();
  for (const { path, event } of receiver.received) {
    const own = known.get(event.id);
    if (!own || paths.get(own.clientId) !== path) problems.push(`${event.id} (${event.type}) arrived at ${path}`);
    if (!own || arrived.has(event.id)) continue;
    arrived.add(event.id);
    if (event.sequence !== own.sequence)
      problems.push(`${event.id} has sequence ${own.sequence}, but arrived with ${event.sequence}`);
    const before = newest.get(own.objectId) ?? 0;
    if (own.sequence < before) problems.push(`event ${own.sequence} of ${own.objectId} arrived after ${before}`);
    newest.set(own.objectId, Math.max(before, own.sequence));
  }
  for (const { id, objectId, sequence } of events) {
    if (!arrived.has(id)) problems.push(`event ${sequence} of ${objectId} never arrived`);
  }
  return { problems, events: events.length };
};
