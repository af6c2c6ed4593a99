import { deletePasskeyOfAccount } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type Holder, tellOfPasskey } from "./mail-passkey-change.ts";

/**
 * From here on it opens nothing; its owner is told by mail. Every account has a password, so that the last passkey may go.
 * @throws DomainError passkey_not_found for one that is gone, or another account's.
 */
export const removePasskey = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: Holder; passkeyId: string; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { account, passkeyId, requestId } = input;
    const name = await deletePasskeyOfAccount(tx, { id: passkeyId, accountId: account.id });
    if (name === null) throw passkeyNotFound();
    const actor = { kind: "payer", id: account.id } as const;
    const entry = { action: "passkey.removed", subjectId: passkeyId, requestId };
    await appendAudit(tx.sql, { at: deps.clock.now(), actor, ...entry });
    await tellOfPasskey(deps, tx, { kind: "passkey_removed", account, name, requestId });
  });

export const passkeyNotFound = () =>
  new DomainError("not_found", "passkey_not_found", "Passkey not found. It may have been removed.");
