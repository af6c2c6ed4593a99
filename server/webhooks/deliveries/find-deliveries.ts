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
  /** what the events are about, such as a charge */
  objectId?: string | undefined;
  eventType?: string | undefined;
  state?: WebhookDeliveryRow["state"] | undefined;
  /** the last delivery of the previous page */
  startingAfter?: string | undefined;
  limit: number;
};

/**
 * Deliveries to one or all of an owner's endpoints, newest first, each with its last attempt. Empty for another owner's
 * endpoint.
 */
export const findDeliveries = async (
  deps: Pick<Deps, "db">,
  { ownerId, endpointId, objectId, eventType, state, startingAfter, limit }: Input,
): Promise<{ deliveries: ListedDelivery[]; hasMore: boolean }> => {
  const { sql } = deps.db;
  const endpointIds = (await listWebhookEndpoints(sql, [ownerId]))
    .map(({ id }) => id)
    .filter((id) => endpointId === undefined || id === endpointId);
  const before = startingAfter === undefined ? null : await findWebhookDelivery(sql, startingAfter);
  // The time of another owner's delivery must not be revealed.
  if (startingAfter !== undefined && !endpointIds.includes(before?.endpointId ?? "")) return none;
  const rows = await listDeliveriesOfEndpoints(sql, {
    endpointIds,
    before,
    limit,
    objectId: objectId ?? null,
    eventType: eventType ?? null,
    state: state ?? null,
  });
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit };
};

const none = { deliveries: [], hasMore: false };

export type DeliveryDetail = WebhookDeliveryRow & {
  endpointUrl: string;
  tries: WebhookAttemptRow[];
  /** the body of each attempt; null if the event is no longer stored */
  body: string | null;
};

/** Returns one delivery with all its attempts. @throws DomainError not_found, also for another owner's delivery. */
export const getDelivery = async (
  deps: Pick<Deps, "db">,
  { deliveryId, ownerId }: { deliveryId: string; ownerId: string },
): Promise<DeliveryDetail> => {
  const { sql } = deps.db;
  const delivery = await findWebhookDelivery(sql, deliveryId);
  const endpoint = (await listWebhookEndpoints(sql, [ownerId])).find(({ id }) => id === delivery?.endpointId);
  if (!delivery || !endpoint) {
    throw new DomainError("not_found", {
      code: "not_found",
      message: "Delivery not found. Deliveries are kept for 30 days.",
    });
  }
  const event = await findEvent(sql, { id: delivery.eventId, createdAt: delivery.eventAt });
  return {
    ...delivery,
    endpointUrl: endpoint.url,
    tries: await listWebhookAttempts(sql, delivery),
    body: event && payloadOf(event, endpoint.ownerKind),
  };
};
