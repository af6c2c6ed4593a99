import { findPasswordHash } from "../../data/accounts/accounts.ts";
import { deletePasskeyOfAccount } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { lockAccountOfSession } from "../sessions/lock-account-of-session.ts";
import { type PasskeyOwner, queuePasskeyMail } from "./mail-passkey-change.ts";

/**
 * Removes a passkey and notifies its owner by e-mail. The last passkey of an account without a password can't be
 * removed.
 * @throws DomainError passkey_not_found if it doesn't exist or belongs to another account; session_not_found,
 *   last_passkey.
 */
export const removePasskey = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: PasskeyOwner; sessionId: string; passkeyId: string; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { account, sessionId, passkeyId, requestId } = input;
    const now = deps.clock.now();
    await lockAccountOfSession(tx.sql, { accountId: account.id, sessionId, now });
    const name = await deletePasskeyOfAccount(tx, { id: passkeyId, accountId: account.id });
    if (name === null) throw passkeyNotFound();
    const hasOther = (await tx.passkey.count({ where: { accountId: account.id } })) > 0;
    if (!hasOther && (await findPasswordHash(tx, account.id)) === null) throw lastPasskeyRefusal();
    const actor = { kind: "payer", id: account.id } as const;
    const entry = { action: "passkey.removed", subjectId: passkeyId, requestId };
    await appendAudit(tx.sql, { at: now, actor, ...entry });
    await queuePasskeyMail(deps, tx, { kind: "passkey_removed", account, name, requestId });
  });

const lastPasskeyRefusal = () =>
  new DomainError("conflict", {
    code: "last_passkey",
    message: "This is your only way to sign in. Set a password or add another passkey first.",
  });

export const passkeyNotFound = () =>
  new DomainError("not_found", { code: "passkey_not_found", message: "Passkey not found. It may have been removed." });
