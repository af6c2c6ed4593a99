import { renamePasskeyOfAccount } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { passkeyNotFound } from "./remove-passkey.ts";

/** @throws DomainError passkey_not_found if it doesn't exist or belongs to another account. */
export const renamePasskey = (
  deps: Pick<Deps, "db" | "clock">,
  input: { accountId: string; passkeyId: string; name: string; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { accountId, passkeyId, name, requestId } = input;
    if (!(await renamePasskeyOfAccount(tx, { id: passkeyId, accountId, name }))) throw passkeyNotFound();
    const actor = { kind: "payer", id: accountId } as const;
    const entry = { action: "passkey.renamed", subjectId: passkeyId, requestId };
    await appendAudit(tx.sql, { at: deps.clock.now(), actor, ...entry });
  });
