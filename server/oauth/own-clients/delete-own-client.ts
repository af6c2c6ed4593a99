import type { Actor } from "../../data/audit/audit.ts";
import { lockRegistration } from "../../data/oauth/client-registrations.ts";
import type { Deps } from "../../deps/deps.ts";
import { endClient } from "../clients/end-client.ts";

type Input = { merchantId: string; clientId: string; actor: Actor; requestId: string };

/** A member deletes a client of their merchant. Deleting it again does nothing. */
export const deleteOwnClient = (deps: Deps, { merchantId, clientId, actor, requestId }: Input): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const locked = await lockRegistration(sql, clientId);
    if (locked?.merchantId !== merchantId) return;
    await endClient(deps, sql, { clientId, actor, requestId });
  });
