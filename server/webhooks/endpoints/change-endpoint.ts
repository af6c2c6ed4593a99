import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { stopWebhookDeliveries } from "../../data/webhooks/webhook-deliveries.ts";
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  lockWebhookEndpoint,
  setWebhookEventTypes,
  setWebhookUrl,
  type WebhookEndpointRow,
} from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { endpointNotFound } from "./find-endpoint.ts";

type EndpointChange =
  | { kind: "url"; url: string }
  /** empty: every type; existing deliveries are kept */
  | { kind: "event_types"; eventTypes: readonly string[] }
  /** deliveries that were stopped when the endpoint was disabled aren't resumed; each can be replayed */
  | { kind: "on" }
  | { kind: "off" }
  | { kind: "delete" };

type Input = { endpointId: string; ownerId: string; change: EndpointChange; actor: Actor; requestId: string };

/** @throws DomainError not_found, also for another owner's endpoint. */
export const changeEndpoint = (deps: Deps, input: Input): Promise<void> =>
  deps.db.sqlTransaction((sql) => changeEndpointIn(deps, sql, input));

/** Runs in the caller's transaction. The caller has checked the URL. */
export const changeEndpointIn = async (
  deps: Pick<Deps, "clock">,
  sql: Sql,
  { endpointId, ownerId, change, actor, requestId }: Input,
): Promise<void> => {
  const endpoint = await lockWebhookEndpoint(sql, endpointId);
  if (endpoint?.ownerId !== ownerId) throw endpointNotFound();
  const at = deps.clock.now();
  const audited = await apply(sql, endpoint, { change, at });
  if (!audited) return;
  const data = { owner_id: ownerId, ...audited.data };
  await appendAudit(sql, { at, actor, requestId, action: audited.action, subjectId: endpointId, data });
};

/** @returns the data of the audit entry; null if nothing changes. */
const apply = async (
  sql: Sql,
  endpoint: WebhookEndpointRow,
  { change, at }: { change: EndpointChange; at: Date },
): Promise<{ action: string; data?: JsonObject } | null> => {
  const { id, disabledAt } = endpoint;
  switch (change.kind) {
    case "url":
      if (change.url === endpoint.url) return null;
      await setWebhookUrl(sql, id, change.url);
      return { action: "webhook_endpoint.updated" };
    case "event_types":
      if (endpoint.eventTypes.toSorted().join() === change.eventTypes.toSorted().join()) return null;
      await setWebhookEventTypes(sql, id, change.eventTypes);
      return { action: "webhook_endpoint.updated", data: { event_types: [...change.eventTypes] } };
    case "on":
      if (disabledAt === null) return null;
      await enableWebhookEndpoint(sql, id);
      return { action: "webhook_endpoint.turned_on" };
    case "off":
      if (disabledAt !== null) return null;
      await disableWebhookEndpoint(sql, id, { at, reason: "owner" });
      await stopWebhookDeliveries(sql, id);
      return { action: "webhook_endpoint.turned_off", data: { reason: "owner" } };
    case "delete":
      await stopWebhookDeliveries(sql, id);
      await deleteWebhookEndpoint(sql, id);
      return { action: "webhook_endpoint.deleted" };
  }
};
