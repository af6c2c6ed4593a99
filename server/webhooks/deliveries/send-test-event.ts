import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { type EventType, insertDispatchedEvent } from "../../data/webhooks/events.ts";
import { insertWebhookDeliveries } from "../../data/webhooks/webhook-deliveries.ts";
import { lockWebhookEndpointsOf } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/text/json.ts";

type Input = {
  endpointId: string;
  ownerId: string;
  eventType: EventType;
  /** the example data from the event type's schema */
  data: JsonObject;
  actor: Actor;
  requestId: string;
};

/**
 * Sends an example of an event to one endpoint, regardless of the event types to which the endpoint subscribes. The
 * event is a signed delivery like any other, with attempts and retries, but the objects that it names don't exist.
 * @returns the delivery's id.
 * @throws DomainError not_found, also for another owner's endpoint; endpoint_off while the endpoint is switched off.
 */
export const sendTestEvent = (
  deps: Deps,
  { endpointId, ownerId, eventType, data, actor, requestId }: Input,
): Promise<string> =>
  deps.db.sqlTransaction(async (sql) => {
    const endpoint = (await lockWebhookEndpointsOf(sql, [ownerId])).find(({ id }) => id === endpointId);
    if (!endpoint) throw new DomainError("not_found", { code: "not_found", message: "Endpoint not found." });
    if (endpoint.disabledAt !== null) {
      throw new DomainError("conflict", {
        code: "endpoint_off",
        message: "The endpoint is switched off. Switch it on first.",
      });
    }
    const at = deps.clock.now();
    const id = newId("whd");
    const eventId = newId("evt");
    const objectId = `test_${eventId.slice(4)}`;
    const event = { eventId, eventType, objectId, sequence: 1 };
    await insertDispatchedEvent(sql, { ...event, data, at });
    await insertWebhookDeliveries(sql, [{ id, endpointId, ...event, eventAt: at, state: "pending" }], { at });
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      action: "webhook_endpoint.tested",
      subjectId: endpointId,
      data: { owner_id: ownerId, delivery_id: id, event_type: eventType },
    });
    return id;
  });
