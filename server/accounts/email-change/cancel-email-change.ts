import { deleteEmailChange } from "../../data/accounts/email-changes.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";

/** Cancels a change of e-mail address that is waiting for its code. The address doesn't change. */
export const cancelEmailChange = (
  deps: Pick<Deps, "db" | "clock">,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    await deleteEmailChange(tx, accountId);
    const actor = { kind: "payer", id: accountId } as const;
    const entry = { action: "email_change.canceled", subjectId: accountId, requestId };
    await appendAudit(tx.sql, { at: deps.clock.now(), actor, ...entry });
  });
