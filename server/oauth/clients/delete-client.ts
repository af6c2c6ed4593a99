import type { RegistrationCaller } from "../../contract/callers.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { deleteClientKeySet } from "../../data/oauth/client-key-sets.ts";
import { listLiveGrantIds, lockRegistration, markClientDeleted } from "../../data/oauth/client-registrations.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { recordClientDeletion } from "../../directory/participants/record-client-change.ts";
import { syncClientEndpoint } from "../../webhooks/endpoints/sync-client-endpoint.ts";
import { endGrant } from "../grants/end-grant.ts";
import { checkStillOf } from "./authenticate-registration.ts";

/**
 * RFC 7592 §2.3: deletes the client, its mandates, grants and tokens in one transaction, effective from the next request.
 * Submitted charges settle. Lock order (docs/adr/007-lock-order.md): the client, then each grant before its mandates.
 * @throws OAuthError invalid_token.
 */
export const deleteClient = (
  deps: Deps,
  { caller, info }: { caller: RegistrationCaller; info: RequestInfo },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { id } = caller.registration;
    const locked = await lockRegistration(sql, id);
    checkStillOf(locked, caller);
    const at = deps.clock.now();
    const actor = { kind: "client", id } as const;
    const { requestId } = info;
    const grantIds = await listLiveGrantIds(sql, id);
    for (const grantId of grantIds) {
      await endGrant(deps, sql, { grantId, actor, requestId, reason: "client deleted" });
    }
    await markClientDeleted(sql, id, at);
    await deleteClientKeySet(sql, id);
    await recordClientDeletion(sql, { clientId: id, at, actor, requestId });
    await syncClientEndpoint(deps, sql, { clientId: id, webhookUri: undefined, rotatesSecret: false, requestId });
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      action: "client.deleted",
      subjectId: id,
      data: { grants: grantIds.length },
    });
  });
