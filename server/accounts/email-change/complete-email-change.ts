import { lockAccount } from "../../data/accounts/accounts.ts";
import { consumeEmailChange, setAccountEmail } from "../../data/accounts/email-changes.ts";
import { endPasswordResets } from "../../data/accounts/password-resets.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { sqlState } from "../../data/client.ts";
import { assignMailOfFormerAddress } from "../../data/mail/former-addresses.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { maskEmail } from "./rules/mask-email.ts";

/**
 * Replaces the account's e-mail address with a verified one, and sends a mail to the old address. At most one caller
 * per change succeeds.
 * @throws DomainError email_change_gone, email_taken: another account took the address in the meantime.
 */
export const completeEmailChange = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { changeId, accountId, requestId }: { changeId: string; accountId: string; requestId: string },
): Promise<{ email: string }> =>
  asTaken(
    deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      // Locks the account's row before the row of the e-mail change. All other changes of an account use the same
      // order, so this transaction can't deadlock with a password reset.
      await lockAccount(tx.sql, accountId);
      const email = await consumeEmailChange(tx.sql, { id: changeId, accountId, now });
      if (email === null) throw emailChangeGone();
      const old = await setAccountEmail(tx.sql, { accountId, email, now });
      if (old === null) throw emailTaken();
      await endPasswordResets(tx.sql, accountId, now);
      const actor = { kind: "payer", id: accountId } as const;
      await appendAudit(tx.sql, { at: now, actor, action: "account.email_changed", subjectId: accountId, requestId });
      const reader = { locale: old.locale, timeZone: old.timeZone };
      const securityUrl = `${deps.config.walletUrl}/wallet/security`;
      const content = { kind: "email_changed", newEmail: maskEmail(email), at: now, securityUrl, reader } as const;
      await queueMail(deps, tx.sql, { recipient: old.oldEmail, content, requestId });
      await assignMailOfFormerAddress(tx.sql, { accountId, email: old.oldEmail });
      return { email };
    }),
  );

/** If two accounts change to the same address at the same time, the second change violates the unique index. */
const asTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw sqlState(error) === "23505" ? emailTaken() : error;
  }
};

export const emailChangeGone = () =>
  new DomainError("conflict", {
    code: "email_change_gone",
    message: "This change expired or is already complete. Start again with the new address.",
  });

const emailTaken = () =>
  new DomainError("conflict", {
    code: "email_taken",
    message: "Another account uses this address now. Choose another one.",
  });
