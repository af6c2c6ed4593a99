import { appendAudit } from "../data/audit/audit.ts";
import { eraseAccount, holdOwners, lockDueDeletion } from "../data/privacy/account-deletion.ts";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { endGrantsOfPayer } from "../oauth/connected/end-grants-of-payer.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { coolingOffSeconds } from "./rules/periods.ts";

/**
 * Removes the personal data of one account whose cooling-off period is over, in one transaction. Several workers may
 * call it at the same time. @returns whether an account was deleted.
 */
export const deleteDueAccount = (deps: Deps): Promise<boolean> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const due = await lockDueDeletion(sql, addSeconds(at, -coolingOffSeconds));
    if (!due) return false;
    const { id: accountId, email, locale, timeZone } = due;
    // Another worker may just have deleted the other owner of a merchant. Then this account is the merchant's only
    // owner, and is deleted only when the merchant has another owner.
    if ((await holdOwners(sql, accountId)).isAlone) return false;
    const requestId = newId("req");
    // The payer may have approved a mandate during the cooling-off period.
    await endGrantsOfPayer(deps, sql, { payerId: accountId, clientId: null, requestId, reason: "account_deletion" });
    await eraseAccount(sql, { accountId, at });
    const actor = { kind: "system", id: "delete-accounts" } as const;
    await appendAudit(sql, { at, actor, action: "account.deleted", subjectId: accountId, requestId });
    const content = { kind: "account_deleted", at, reader: { locale, timeZone } } as const;
    await queueMail(deps, sql, { recipient: email, content, requestId });
    return true;
  });
