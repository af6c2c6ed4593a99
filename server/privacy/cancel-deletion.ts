import { appendAudit } from "../data/audit/audit.ts";
import { cancelScheduledDeletion } from "../data/privacy/account-deletion.ts";
import type { Deps } from "../deps/deps.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";

type Owner = { id: string; email: string; locale: string; timeZone: string };

/** Cancels the deletion of an account. Mandates that ended aren't restored. A repeated request changes nothing. */
export const cancelDeletion = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, requestId }: { account: Owner; requestId: string },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { id: accountId, email, locale, timeZone } = account;
    if (!(await cancelScheduledDeletion(sql, accountId))) return;
    const actor = { kind: "payer", id: accountId } as const;
    const entry = { action: "account.deletion_cancelled", subjectId: accountId, requestId };
    await appendAudit(sql, { at: deps.clock.now(), actor, ...entry });
    const walletUrl = `${deps.config.walletUrl}/wallet`;
    const content = { kind: "deletion_cancelled", walletUrl, reader: { locale, timeZone } } as const;
    await queueMail(deps, sql, { recipient: email, content, requestId });
  });
