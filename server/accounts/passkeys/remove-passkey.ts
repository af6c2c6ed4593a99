import { deletePasskeyOfAccount } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type PasskeyOwner, queuePasskeyMail } from "./mail-passkey-change.ts";

/**
 * Removes a passkey and notifies its owner by e-mail. The last passkey can be removed, because every account has a
 * password.
 * @throws DomainError passkey_not_found if it doesn't exist or belongs to another account.
 */
export const removePasskey = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: PasskeyOwner; passkeyId: string; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { account, passkeyId, requestId } = input;
    const name = await deletePasskeyOfAccount(tx, { id: passkeyId, accountId: account.id });
    if (name === null) throw passkeyNotFound();
    const actor = { kind: "payer", id: account.id } as const;
    const entry = { action: "passkey.removed", subjectId: passkeyId, requestId };
    await appendAudit(tx.sql, { at: deps.clock.now(), actor, ...entry });
    await queuePasskeyMail(deps, tx, { kind: "passkey_removed", account, name, requestId });
  });

export const passkeyNotFound = () =>
  new DomainError("not_found", { code: "passkey_not_found", message: "Passkey not found. It may have been removed." });
