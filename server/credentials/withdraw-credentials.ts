import { appendAudit } from "../data/audit/audit.ts";
import type { Sql } from "../data/client.ts";
import {
  clearWithdrawnCredentials,
  findMandatesWithWithdrawnCredential,
} from "../data/credentials/mandate-credentials.ts";
import { lockMandate } from "../data/mandates/mandates.ts";
import { appendEvent } from "../data/webhooks/events.ts";
import type { Deps } from "../deps/deps.ts";

/**
 * Credentials are signed when a client fetches them, so this function signs no credential. Instead, for each live
 * mandate whose credential was signed by a revoked key, `mandate.updated` asks the client to fetch a new credential,
 * which the active key signs. This happens exactly once per mandate, for any number of callers, even if a process is
 * killed.
 * @returns the number of processed mandates.
 */
export const withdrawCredentials = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const mandateIds = await findMandatesWithWithdrawnCredential(deps.db.sql, limit);
  for (const mandateId of mandateIds) await deps.db.sqlTransaction((sql) => withdraw(deps, sql, mandateId));
  return mandateIds.length;
};

const withdraw = async (deps: Deps, sql: Sql, mandateId: string): Promise<void> => {
  const mandate = await lockMandate(sql, mandateId, { withGrant: false });
  if (!mandate) return;
  const cleared = await clearWithdrawnCredentials(sql, mandateId);
  const current = cleared.find(({ version }) => version === mandate.version);
  if (!current || (mandate.state !== "active" && mandate.state !== "suspended")) return;
  const at = await deps.businessClock.now();
  const { version, clientId, state } = mandate;
  await appendAudit(sql, {
    at,
    actor: { kind: "system", id: "withdraw-credentials" },
    action: "credential.withdrawn",
    subjectId: mandateId,
    requestId: "-",
    data: { version, kid: current.kid },
  });
  await appendEvent(sql, {
    type: "mandate.updated",
    objectId: mandateId,
    data: { mandate_id: mandateId, status: state, version, client_id: clientId, reason: "credential_withdrawn" },
    at,
  });
};
