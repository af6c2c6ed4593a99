import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { listMerchantNames } from "../../data/merchants/merchants.ts";
import {
  insertWebhookEndpoint,
  listWebhookEndpoints,
  lockWebhookOwner,
  type WebhookOwner,
} from "../../data/webhooks/webhook-endpoints.ts";
import { insertWebhookSecret } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { assertEventTypes } from "../event-types.ts";
import { makeSecret, type WebhookCredentials } from "./secrets.ts";

const maxEndpoints = 10;

type By = { actor: Actor; requestId: string };

/**
 * Creates an endpoint that receives a merchant's events from now on. The result contains the secret.
 * @throws DomainError invalid for a URL or event types that aren't allowed; not_found; conflict if the merchant has ten
 *   endpoints.
 */
export const createMerchantEndpoint = async (
  deps: Deps,
  input: { merchantId: string; url: string; eventTypes?: readonly string[] } & By,
): Promise<WebhookCredentials> => {
  const { merchantId, url, eventTypes = [], actor, requestId } = input;
  assertUrl(deps, url);
  assertEventTypes(eventTypes);
  if (!(await listMerchantNames(deps.db, [merchantId])).has(merchantId)) {
    throw new DomainError("not_found", { code: "not_found", message: "Merchant not found. Check the ID." });
  }
  return deps.db.sqlTransaction(async (sql) => {
    await lockWebhookOwner(sql, merchantId);
    if ((await listWebhookEndpoints(sql, [merchantId])).length >= maxEndpoints) {
      throw new DomainError("conflict", {
        code: "too_many_endpoints",
        message: `A merchant has at most ${maxEndpoints} endpoints.`,
      });
    }
    return addEndpoint(deps, sql, { owner: { kind: "merchant", id: merchantId }, url, eventTypes, actor, requestId });
  });
};

/** @throws DomainError invalid, naming the field. */
export const assertUrl = (deps: Pick<Deps, "webhookOutbound">, url: string): void => {
  const problem = deps.webhookOutbound.urlProblem(url);
  if (problem === null) return;
  throw new DomainError("invalid", {
    code: "invalid_request",
    message: `The URL ${problem}. Enter a URL like https://shop.example/webhooks.`,
    errors: [{ pointer: "/url", detail: problem }],
  });
};

/** Runs in the caller's transaction. The caller has checked the URL. */
export const addEndpoint = async (
  deps: Pick<Deps, "sealer" | "clock">,
  sql: Sql,
  {
    owner,
    url,
    eventTypes = [],
    actor,
    requestId,
  }: { owner: WebhookOwner; url: string; eventTypes?: readonly string[] } & By,
): Promise<WebhookCredentials> => {
  const id = newId("whe");
  const at = deps.clock.now();
  const { row, credentials } = makeSecret(deps, id, at);
  await insertWebhookEndpoint(sql, { id, owner, url, eventTypes, createdAt: at });
  await insertWebhookSecret(sql, row);
  await appendAudit(sql, {
    at,
    actor,
    requestId,
    action: "webhook_endpoint.created",
    subjectId: id,
    data: { owner_id: owner.id },
  });
  return credentials;
};
