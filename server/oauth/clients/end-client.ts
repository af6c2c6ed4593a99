import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { deleteClientKeySet } from "../../data/oauth/client-key-sets.ts";
import { listLiveGrantIds, markClientDeleted } from "../../data/oauth/client-registrations.ts";
import type { Deps } from "../../deps/deps.ts";
import { recordClientDeletion } from "../../directory/participants/record-client-change.ts";
import { mailMandateChange } from "../../mandates/notices/mail-mandate-change.ts";
import { syncClientEndpoint } from "../../webhooks/endpoints/sync-client-endpoint.ts";
import { endGrant } from "../grants/end-grant.ts";

/** `reason`: the reason that an operator gave, for the audit log */
type Ending = { clientId: string; actor: Actor; requestId: string; reason?: string };

/**
 * Ends a client, its mandates, grants and tokens, effective immediately. The caller has locked the client. Submitted
 * charges settle. Lock order (docs/adr/007-lock-order.md): the client, then each grant before its mandates.
 */
export const endClient = async (deps: Deps, sql: Sql, ending: Ending): Promise<void> => {
  const { clientId: id, actor, requestId, reason } = ending;
  const at = deps.clock.now();
  const grantIds = await listLiveGrantIds(sql, id);
  const mandateIds: string[] = [];
  for (const grantId of grantIds) {
    mandateIds.push(...(await endGrant(deps, sql, { grantId, actor, requestId, reason: "client deleted" })));
  }
  const endedAt = await deps.businessClock.now();
  await mailMandateChange(deps, sql, { mandateIds, change: "revoked", by: actor, at: endedAt, requestId });
  const merchantId = await markClientDeleted(sql, id, at);
  await deleteClientKeySet(sql, id);
  await recordClientDeletion(sql, { clientId: id, at, actor, environment: deps.config.environment, requestId });
  await syncClientEndpoint(deps, sql, { clientId: id, webhookUri: undefined, rotatesSecret: false, requestId });
  await appendAudit(sql, {
    at,
    actor,
    requestId,
    action: "client.deleted",
    subjectId: id,
    data: {
      grants: grantIds.length,
      ...(reason === undefined ? {} : { reason }),
      ...(merchantId === null ? {} : { merchant_id: merchantId }),
    },
  });
};
