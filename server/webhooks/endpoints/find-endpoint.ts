import { listWebhookEndpoints, type WebhookEndpointRow } from "../../data/webhooks/webhook-endpoints.ts";
import { listWebhookSecrets } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { credentialsOf, type WebhookCredentials } from "./secrets.ts";

export type { WebhookEndpointRow } from "../../data/webhooks/webhook-endpoints.ts";
export type { WebhookCredentials } from "./secrets.ts";

export const endpointNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "Webhook endpoint not found. Check the ID." });

/** An owner's endpoints, oldest first. */
export const listEndpoints = (deps: Pick<Deps, "db">, ownerId: string): Promise<WebhookEndpointRow[]> =>
  listWebhookEndpoints(deps.db.sql, [ownerId]);

/** @throws DomainError not_found, also for another owner's endpoint. */
export const getEndpoint = async (
  deps: Pick<Deps, "db">,
  { endpointId, ownerId }: { endpointId: string; ownerId: string },
): Promise<WebhookEndpointRow> => {
  const endpoint = (await listEndpoints(deps, ownerId)).find(({ id }) => id === endpointId);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
};

/** The public key of a secret that signs an endpoint's deliveries now. `expiresAt` null: the current secret. */
export type SigningKeyView = { publicKey: string; createdAt: Date; expiresAt: Date | null };

/**
 * Returns an endpoint with its signing keys: the current one first, then previous ones that haven't expired.
 * @throws DomainError not_found, also for another owner's endpoint.
 */
export const getEndpointWithKeys = async (
  deps: Pick<Deps, "db" | "clock">,
  input: { endpointId: string; ownerId: string },
): Promise<WebhookEndpointRow & { keys: SigningKeyView[] }> => {
  const endpoint = await getEndpoint(deps, input);
  const secrets = await listWebhookSecrets(deps.db.sql, [endpoint.id], deps.clock.now());
  return {
    ...endpoint,
    keys: secrets.map(({ publicKey, createdAt, expiresAt }) => ({ publicKey, createdAt, expiresAt })),
  };
};

/** The credentials with which a client verifies signatures; null if it registered no `webhook_uri`. */
export const findClientCredentials = async (
  deps: Pick<Deps, "db" | "sealer" | "clock">,
  clientId: string,
): Promise<WebhookCredentials | null> => {
  const [endpoint] = await listEndpoints(deps, clientId);
  if (!endpoint) return null;
  const [present] = await listWebhookSecrets(deps.db.sql, [endpoint.id], deps.clock.now());
  return present ? credentialsOf(deps, present) : null;
};
