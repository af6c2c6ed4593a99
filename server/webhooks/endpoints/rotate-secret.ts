import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { lockWebhookEndpoint } from "../../data/webhooks/webhook-endpoints.ts";
import { endWebhookSecret, insertWebhookSecret } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { endpointNotFound } from "./find-endpoint.ts";
import { makeSecret, type WebhookCredentials } from "./secrets.ts";

/** The previous secret signs for this long after a rotation, so that a receiver can switch at any time. */
const overlapSeconds = 24 * 3600;

type Input = { endpointId: string; ownerId: string; actor: Actor; requestId: string };

/**
 * Creates new HMAC and Ed25519 keys. The previous ones also sign for a day.
 * @throws DomainError not_found, also for another owner's endpoint.
 */
export const rotateSecret = (deps: Deps, input: Input): Promise<WebhookCredentials> =>
  deps.db.sqlTransaction((sql) => rotateSecretIn(deps, sql, input));

/** Runs in the caller's transaction. */
export const rotateSecretIn = async (
  deps: Pick<Deps, "sealer" | "clock">,
  sql: Sql,
  { endpointId, ownerId, actor, requestId }: Input,
): Promise<WebhookCredentials> => {
  const endpoint = await lockWebhookEndpoint(sql, endpointId);
  if (endpoint?.ownerId !== ownerId) throw endpointNotFound();
  const at = deps.clock.now();
  const { row, credentials } = makeSecret(deps, endpointId, at);
  await endWebhookSecret(sql, endpointId, { now: at, until: addSeconds(at, overlapSeconds) });
  await insertWebhookSecret(sql, row);
  await appendAudit(sql, {
    at,
    actor,
    requestId,
    action: "webhook_secret.rotated",
    subjectId: endpointId,
    data: { owner_id: ownerId },
  });
  return credentials;
};
