import type { Actor } from "../../data/audit/audit.ts";
import { lockRegistration } from "../../data/oauth/client-registrations.ts";
import type { Deps } from "../../deps/deps.ts";
import { endClient } from "../../oauth/clients/end-client.ts";
import { clientNotFound } from "./get-oauth-client.ts";

type Input = { clientId: string; reason: string; actor: Actor; requestId: string };

/**
 * An operator deletes a client: its mandates, grants and tokens end in one transaction with the audit entries.
 * @throws DomainError not_found, also after a deletion.
 */
export const deleteOAuthClient = (deps: Deps, { clientId, reason, actor, requestId }: Input): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    if (!(await lockRegistration(sql, clientId))) throw clientNotFound();
    await endClient(deps, sql, { clientId, actor, requestId, reason });
  });
