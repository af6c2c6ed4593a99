import { isDeepStrictEqual } from "node:util";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { type RegistrationRow, replaceRegistration } from "../../data/oauth/client-registrations.ts";
import type { Deps } from "../../deps/deps.ts";
import { recordClientChange } from "../../directory/participants/record-client-change.ts";
import type { WebhookCredentials } from "../../webhooks/endpoints/find-endpoint.ts";
import { syncClientEndpoint } from "../../webhooks/endpoints/sync-client-endpoint.ts";
import type { ClientMetadata } from "../rules/clients/registration.ts";
import type { CheckedMetadata } from "./check-client-metadata.ts";

type Replacement = {
  /** the locked registration */
  before: RegistrationRow;
  checked: CheckedMetadata;
  tokens: Pick<RegistrationRow, "registrationTokenHash" | "formerTokenHash">;
  /** true: the client's access tokens end even if the change removes nothing */
  endsTokens?: boolean;
  actor: Actor;
  requestId: string;
};

/** Writes checked metadata with its keys, webhook endpoint and audit entry, in the caller's transaction. */
export const replaceMetadata = async (
  deps: Deps,
  sql: Sql,
  { before, checked, tokens, actor, requestId, ...change }: Replacement,
): Promise<WebhookCredentials | null> => {
  const { id } = before;
  const endsTokens = change.endsTokens === true || removesPermission(before, checked.metadata);
  await replaceRegistration(sql, id, { ...checked.columns(id), ...tokens, endsTokens });
  await checked.keepKeys(sql, id);
  const at = deps.clock.now();
  const { environment } = deps.config;
  await recordClientChange(sql, { clientId: id, change: "client_changed", at, actor, environment });
  await appendAudit(sql, {
    at,
    actor,
    action: "client.updated",
    subjectId: id,
    requestId,
    data: {
      members: changedMembers(before.metadata, checked.metadata),
      ends_tokens: endsTokens,
      ...(before.merchantId === null ? {} : { merchant_id: before.merchantId }),
    },
  });
  return syncClientEndpoint(deps, sql, {
    clientId: id,
    webhookUri: checked.metadata.webhook_uri,
    rotatesSecret: checked.rotatesWebhookSecret,
    requestId,
  });
};

/**
 * Whether the change removes a permission that issued tokens may have, or begins to require DPoP. The tokens then
 * become invalid immediately.
 */
const removesPermission = (before: RegistrationRow, after: ClientMetadata): boolean => {
  const scopes = after.scope.split(" ");
  return (
    before.scopes.some((scope) => !scopes.includes(scope)) ||
    before.grantTypes.some((type) => !after.grant_types.some((kept) => kept === type)) ||
    (!before.dpopBound && after.dpop_bound_access_tokens)
  );
};

const changedMembers = (before: Readonly<Record<string, unknown>>, after: ClientMetadata): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !isDeepStrictEqual(before[member], after[member]),
  );
