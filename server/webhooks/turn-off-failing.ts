import { appendAudit } from "../data/audit.ts";
import type { Sql } from "../data/client.ts";
import { insertMail } from "../data/mail.ts";
import { listWebhookContacts } from "../data/webhook-contacts.ts";
import { stopWebhookDeliveries } from "../data/webhook-deliveries.ts";
import { disableWebhookEndpoint, type WebhookEndpointRow } from "../data/webhook-endpoints.ts";
import { newId } from "../kernel/ids.ts";

type Input = { endpoint: WebhookEndpointRow; deliveryId: string; at: Date };

/** Under the endpoint's lock: nothing more is sent, and whoever looks after it is told so by mail. */
export const turnOffFailing = async (sql: Sql, { endpoint, deliveryId, at }: Input): Promise<void> => {
  const { id, ownerKind, ownerId, url } = endpoint;
  await disableWebhookEndpoint(sql, id, { at, reason: "failing" });
  await stopWebhookDeliveries(sql, id);
  for (const recipient of await listWebhookContacts(sql, { kind: ownerKind, id: ownerId })) {
    await insertMail(sql, { recipient, subject: "Your webhook endpoint is switched off", text: noticeOf(url, id), at });
  }
  await appendAudit(sql, {
    at,
    actor: { kind: "system", id: "webhooks" },
    action: "webhook_endpoint.turned_off",
    subjectId: id,
    requestId: newId("req"),
    data: { owner_id: ownerId, reason: "failing", delivery_id: deliveryId },
  });
};

const noticeOf = (url: string, id: string): string =>
  `We tried for three days to send an event to ${url} (${id}), and no try succeeded.

Nothing is sent there any more. Events go on being kept for 30 days: once the endpoint answers with a status from 200
to 299 again, switch it on and replay what it missed.`;
