import type { Actor } from "../../data/audit/audit.ts";
import { findParticipantOfClient } from "../../data/directory/participant-changes.ts";
import { lockRegistration } from "../../data/oauth/client-registrations.ts";
import type { Deps } from "../../deps/deps.ts";
import { notifyEntryOwners } from "../../directory/participants/notify-entry-owners.ts";
import { endClient } from "../../oauth/clients/end-client.ts";
import { clientNotFound } from "./get-oauth-client.ts";

type Input = { clientId: string; reason: string; actor: Actor; requestId: string };

/**
 * An operator deletes a client: its mandates, grants and tokens end in one transaction with the audit entries. The
 * owners of its directory entry get an e-mail.
 * @throws DomainError not_found, also after a deletion.
 */
export const deleteOAuthClient = (deps: Deps, { clientId, reason, actor, requestId }: Input): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const client = await lockRegistration(sql, clientId);
    if (!client) throw clientNotFound();
    const appName = String(client.metadata["client_name"] ?? clientId);
    const participantId = await findParticipantOfClient(sql, clientId);
    if (participantId !== null) {
      const change = { kind: "app_deleted", appName, clientId } as const;
      // The owners are informed before `endClient`, which may withdraw the entry of a client without a merchant.
      await notifyEntryOwners(deps, sql, { participantId, change, at: deps.clock.now(), requestId });
    }
    await endClient(deps, sql, { clientId, actor, requestId, reason });
  });
