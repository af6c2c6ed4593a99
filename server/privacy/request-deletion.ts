import { appendAudit } from "../data/audit/audit.ts";
import { type BlockingRoles, lockForDeletion, scheduleDeletion } from "../data/privacy/account-deletion.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { endGrantsOfPayer } from "../oauth/connected/end-grants-of-payer.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { coolingOffSeconds } from "./rules/periods.ts";

type Owner = { id: string; email: string; locale: string; timeZone: string };

/**
 * Begins the deletion of an account: all grants and mandates end now, and personal data is removed after the
 * cooling-off period. A repeated request changes nothing.
 * @throws DomainError operator_account, merchant_owner: the person must give up these roles first.
 */
export const requestDeletion = async (
  deps: Deps,
  { account, requestId }: { account: Owner; requestId: string },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const [accountId, at] = [account.id, deps.clock.now()];
    refuseBlockingRoles(await lockForDeletion(sql, accountId));
    if (!(await scheduleDeletion(sql, { accountId, at }))) return;
    await endGrantsOfPayer(deps, sql, { payerId: accountId, clientId: null, requestId, reason: "account_deletion" });
    const actor = { kind: "payer", id: accountId } as const;
    await appendAudit(sql, { at, actor, action: "account.deletion_requested", subjectId: accountId, requestId });
    const { email, locale, timeZone } = account;
    const content = {
      kind: "deletion_scheduled",
      deletedOn: addSeconds(at, coolingOffSeconds),
      keepUrl: `${deps.config.walletUrl}/wallet/privacy`,
      reader: { locale, timeZone },
    } as const;
    await queueMail(deps, sql, { recipient: email, content, requestId });
  });

const refuseBlockingRoles = (roles: BlockingRoles | null): void => {
  if (roles?.isOperator) {
    throw new DomainError("conflict", {
      code: "operator_account",
      message: "Operators can’t delete their account. Ask another admin to remove your operator role first.",
    });
  }
  if (roles && roles.owned.length > 0) {
    throw new DomainError("conflict", {
      code: "merchant_owner",
      message: `You are the only owner of ${roles.owned.join(", ")}. Transfer the ownership first.`,
      members: { merchants: roles.owned },
    });
  }
};
