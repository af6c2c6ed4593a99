import { findEvent } from "../../data/webhooks/event-outbox.ts";
import {
  findWebhookDelivery,
  listWebhookAttempts,
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
} from "../../data/webhooks/webhook-deliveries.ts";
import { type ListedDelivery, listDeliveriesOfEndpoints } from "../../data/webhooks/webhook-delivery-lists.ts";
import { listWebhookEndpoints } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { payloadOf } from "../rules/payload.ts";

type Input = {
  ownerId: string;
  endpointId?: string | undefined;
  eventType?: string | undefined;
  state?: WebhookDeliveryRow["state"] | undefined;
  /** the last delivery of the page before */
  startingAfter?: string | undefined;
  limit: number;
};

/** To all of an owner's endpoints or to one, newest first, each with its last try. Another owner's endpoint has none. */
export const findDeliveries = async (
  deps: Pick<Deps, "db">,
  { ownerId, endpointId, eventType, state, startingAfter, limit }: Input,
): Promise<{ deliveries: ListedDelivery[]; hasMore: boolean }> => {
  const { sql } = deps.db;
  const endpointIds = (await listWebhookEndpoints(sql, [ownerId]))
    .map(({ id }) => id)
    .filter((id) => endpointId === undefined || id === endpointId);
  const before = startingAfter === undefined ? null : await findWebhookDelivery(sql, startingAfter);
  // Where another owner's delivery stands in time is not told.
  if (startingAfter !== undefined && !endpointIds.includes(before?.endpointId ?? "")) return none;
  const rows = await listDeliveriesOfEndpoints(sql, {
    endpointIds,
    before,
    limit,
    eventType: eventType ?? null,
    state: state ?? null,
  });
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit };
};

const none = { deliveries: [], hasMore: false };

export type DeliveryDetail = WebhookDeliveryRow & {
  endpointUrl: string;
  tries: WebhookAttemptRow[];
  /** what each try sends; null where the event isn't kept any more */
  body: string | null;
};

/** One delivery with every try of it. @throws DomainError not_found for another owner's too. */
export const getDelivery = async (
  deps: Pick<Deps, "db">,
  { deliveryId, ownerId }: { deliveryId: string; ownerId: string },
): Promise<DeliveryDetail> => {
  const { sql } = deps.db;
  const delivery = await findWebhookDelivery(sql, deliveryId);
  const endpoint = (await listWebhookEndpoints(sql, [ownerId])).find(({ id }) => id === delivery?.endpointId);
  if (!delivery || !endpoint)
    throw new DomainError("not_found", "not_found", "Delivery not found. Deliveries are kept for 30 days.");
  const event = await findEvent(sql, { id: delivery.eventId, createdAt: delivery.eventAt });
  return {
    ...delivery,
    endpointUrl: endpoint.url,
    tries: await listWebhookAttempts(sql, delivery),
    body: event && payloadOf(event, endpoint.ownerKind),
  };
};
