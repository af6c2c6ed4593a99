import type { Sql } from "../../data/client.ts";
import { listWebhookEndpoints } from "../../data/webhooks/webhook-endpoints.ts";
import { listWebhookSecrets } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { changeEndpointIn } from "./change-endpoint.ts";
import { addEndpoint } from "./create-endpoint.ts";
import { rotateSecretIn } from "./rotate-secret.ts";
import { credentialsOf, type WebhookCredentials } from "./secrets.ts";

type Input = {
  clientId: string;
  /** undefined: no events */
  webhookUri: string | undefined;
  rotatesSecret: boolean;
  requestId: string;
};

/**
 * Updates a client's endpoint to match its registration, in the registration's transaction and under the client's lock.
 * Every update of the registration enables an endpoint that was switched off. The secret stays the same when the URL
 * changes.
 * @returns the credentials that verify later signatures; null without `webhookUri`.
 */
export const syncClientEndpoint = async (
  deps: Pick<Deps, "sealer" | "clock">,
  sql: Sql,
  { clientId, webhookUri, rotatesSecret, requestId }: Input,
): Promise<WebhookCredentials | null> => {
  const by = { actor: { kind: "client", id: clientId } as const, requestId };
  const [present] = await listWebhookEndpoints(sql, [clientId]);
  if (!present) {
    if (webhookUri === undefined) return null;
    return addEndpoint(deps, sql, { owner: { kind: "client", id: clientId }, url: webhookUri, ...by });
  }
  const endpoint = { endpointId: present.id, ownerId: clientId, ...by };
  if (webhookUri === undefined) {
    await changeEndpointIn(deps, sql, { ...endpoint, change: { kind: "delete" } });
    return null;
  }
  await changeEndpointIn(deps, sql, { ...endpoint, change: { kind: "url", url: webhookUri } });
  await changeEndpointIn(deps, sql, { ...endpoint, change: { kind: "on" } });
  if (rotatesSecret) return rotateSecretIn(deps, sql, endpoint);
  const [secret] = await listWebhookSecrets(sql, [present.id], deps.clock.now());
  return secret ? credentialsOf(deps, secret) : null;
};
