import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { lockWebhookEndpoint } from "../../data/webhooks/webhook-endpoints.ts";
import { endWebhookSecret, insertWebhookSecret } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { endpointNotFound } from "./find-endpoint.ts";
import { makeSecret, type WebhookCredentials } from "./secrets.ts";

/** For as long the former secret signs beside the present one, so that a receiver may change when it likes. */
const overlapSeconds = 24 * 3600;

type Input = { endpointId: string; ownerId: string; actor: Actor; requestId: string };

/**
 * New HMAC and Ed25519 keys. The former ones sign beside them for a day.
 * @throws DomainError not_found for another owner's too.
 */
export const rotateSecret = (deps: Deps, input: Input): Promise<WebhookCredentials> =>
  deps.db.sqlTransaction((sql) => rotateSecretIn(deps, sql, input));

/** In the caller's transaction. */
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
