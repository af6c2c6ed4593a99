import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { listWebhookContacts } from "../../data/webhooks/webhook-contacts.ts";
import { stopWebhookDeliveries } from "../../data/webhooks/webhook-deliveries.ts";
import { disableWebhookEndpoint, type WebhookEndpointRow } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToAll } from "../../platform/mail/queue-mail-to-all.ts";

type Input = { endpoint: WebhookEndpointRow; reason: "failing" | "gone"; deliveryId: string; at: Date };

/** Disables an endpoint under its lock: sending stops, and the owner's contacts are notified by mail. */
export const disableEndpoint = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { endpoint, reason, deliveryId, at }: Input,
): Promise<void> => {
  const { id, ownerKind, ownerId, url } = endpoint;
  const requestId = newId("req");
  await disableWebhookEndpoint(sql, id, { at, reason });
  await stopWebhookDeliveries(sql, id);
  const content = {
    kind: "webhook_endpoint_off",
    endpointId: id,
    url,
    reason,
    docsUrl: `${deps.config.baseUrl}/docs/webhooks`,
    ...(ownerKind === "merchant"
      ? { endpointPageUrl: merchantPageUrl(deps.config.walletUrl, ownerId, `/webhooks/${id}`) }
      : {}),
  } as const;
  const recipients = await listWebhookContacts(sql, { kind: ownerKind, id: ownerId });
  await queueMailToAll(deps, sql, { recipients, content, requestId });
  await appendAudit(sql, {
    at,
    actor: { kind: "system", id: "webhooks" },
    action: "webhook_endpoint.turned_off",
    subjectId: id,
    requestId,
    data: { owner_id: ownerId, reason, delivery_id: deliveryId },
  });
};
