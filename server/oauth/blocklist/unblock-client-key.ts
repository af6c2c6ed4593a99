import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { deleteBlockedKey } from "../../data/oauth/blocklist/blocked-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = { thumbprint: string; reason: string; actor: Actor; requestId: string };

/**
 * Removes a key from the blocklist. Clients can use the key again immediately: a process that refuses the key of a
 * cached client reads the client again. Revoked tokens aren't restored.
 * @throws DomainError not_found if the key isn't blocked.
 */
export const unblockClientKey = ({ db, clock }: Pick<Deps, "db" | "clock">, input: Input): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const { thumbprint, reason, actor, requestId } = input;
    if (!(await deleteBlockedKey(sql, thumbprint))) {
      throw new DomainError("not_found", { code: "blocked_key_not_found", message: "This key isn’t blocked." });
    }
    await appendAudit(sql, {
      at: clock.now(),
      actor,
      requestId,
      action: "client_key.unblocked",
      subjectId: thumbprint,
      data: { reason },
    });
  });
