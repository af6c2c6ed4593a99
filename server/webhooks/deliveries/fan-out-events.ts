import type { Sql } from "../../data/client.ts";
import type { EventRow } from "../../data/webhooks/event-outbox.ts";
import { insertWebhookDeliveries } from "../../data/webhooks/webhook-deliveries.ts";
import { lockWebhookEndpointsOf } from "../../data/webhooks/webhook-endpoints.ts";
import { listPartiesOfCharges, listPartiesOfMandates } from "../../data/webhooks/webhook-recipients.ts";
import { newId } from "../../kernel/ids.ts";
import { type Audience, audienceOf } from "../rules/audience.ts";

/**
 * Creates a delivery for each recipient endpoint that subscribes to the event type. Runs in the transaction that marks
 * the events as dispatched, so that no delivery is lost or duplicated.
 * @returns the number of deliveries.
 */
export const fanOutEvents = async (sql: Sql, events: readonly EventRow[], at: Date): Promise<number> => {
  const recipients = await findRecipients(sql, events);
  const ownerIds = [...new Set([...recipients.values()].flat())];
  if (ownerIds.length === 0) return 0;
  const endpoints = Map.groupBy(await lockWebhookEndpointsOf(sql, ownerIds), ({ ownerId }) => ownerId);
  const deliveries = events.flatMap((event) =>
    (recipients.get(event.id) ?? [])
      .flatMap((ownerId) => endpoints.get(ownerId) ?? [])
      .filter(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(event.type))
      .map((endpoint) => ({
        id: newId("whd"),
        endpointId: endpoint.id,
        eventId: event.id,
        eventAt: event.createdAt,
        eventType: event.type,
        objectId: event.objectId,
        sequence: event.sequence,
        state: endpoint.disabledAt === null ? ("pending" as const) : ("stopped" as const),
      })),
  );
  await insertWebhookDeliveries(sql, deliveries, { at });
  return deliveries.length;
};

/** @returns for each event, the ids of the clients and merchants that receive it. */
const findRecipients = async (sql: Sql, events: readonly EventRow[]): Promise<Map<string, string[]>> => {
  const about = Map.groupBy(events, ({ type }) => audienceOf(type));
  const of = (audience: Audience) => about.get(audience) ?? [];
  const mandates = await listPartiesOfMandates(sql, distinct(of("mandate").map(({ objectId }) => objectId)));
  const charges = await listPartiesOfCharges(sql, distinct(of("charge").map(chargeIdOf)));
  return new Map([
    ...of("mandate").map((event) => {
      const parties = mandates.get(event.objectId);
      return [event.id, parties ? [parties.clientId, ...parties.merchantIds] : []] as const;
    }),
    ...of("charge").map((event) => {
      const parties = charges.get(chargeIdOf(event));
      return [event.id, parties ? [parties.merchantId, parties.clientId] : []] as const;
    }),
    ...of("merchant").map((event) => [event.id, asList(event.data["merchant_id"])] as const),
  ]);
};

/** The data of refund and dispute events contain the charge's ID. In other charge events, the object is the charge. */
export const chargeIdOf = ({ data, objectId }: EventRow): string =>
  typeof data["charge_id"] === "string" ? data["charge_id"] : objectId;

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];
const asList = (id: unknown): string[] => (typeof id === "string" ? [id] : []);
