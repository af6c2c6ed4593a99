import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findWebhookDelivery, insertWebhookDeliveries } from "../../data/webhooks/webhook-deliveries.ts";
import { lockWebhookEndpointsOf } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";

type Input = { deliveryId: string; ownerId: string; actor: Actor; requestId: string };

/**
 * Sends an event again as a new delivery with its own attempts, regardless of the outcome of the first delivery. The
 * `webhook-id` is still the event's, so that a receiver can detect a duplicate.
 * @returns the new delivery's id.
 * @throws DomainError not_found, also for another owner's delivery; conflict while the endpoint is disabled.
 */
export const replayDelivery = (deps: Deps, { deliveryId, ownerId, actor, requestId }: Input): Promise<string> =>
  deps.db.sqlTransaction(async (sql) => {
    const delivery = await findWebhookDelivery(sql, deliveryId);
    const endpoint = (await lockWebhookEndpointsOf(sql, [ownerId])).find(({ id }) => id === delivery?.endpointId);
    if (!delivery || !endpoint) {
      throw new DomainError("not_found", {
        code: "not_found",
        message: "Delivery not found. Deliveries are kept for 30 days.",
      });
    }
    if (endpoint.disabledAt !== null) {
      throw new DomainError("conflict", {
        code: "endpoint_off",
        message: "The endpoint is switched off. Switch it on first.",
      });
    }
    const at = deps.clock.now();
    const id = newId("whd");
    const { endpointId, eventId, eventAt, eventType, objectId, sequence } = delivery;
    await insertWebhookDeliveries(
      sql,
      [{ id, endpointId, eventId, eventAt, eventType, objectId, sequence, state: "pending" }],
      { at, replayOf: deliveryId },
    );
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      action: "webhook_delivery.replayed",
      subjectId: deliveryId,
      data: { owner_id: ownerId, delivery_id: id },
    });
    return id;
  });
