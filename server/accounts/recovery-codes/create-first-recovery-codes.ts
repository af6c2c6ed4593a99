import { insertFirstRecoveryCodes } from "../../data/accounts/recovery-codes.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { makeRecoveryCodes } from "./make-recovery-codes.ts";

/**
 * Creates recovery codes for an account that has none, in the transaction that adds a passkey.
 * @returns the codes, to be shown once; null if the account has codes, used or unused.
 */
export const createFirstRecoveryCodes = async (
  { clock, config }: Pick<Deps, "clock" | "config">,
  tx: Tx,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<string[] | null> => {
  const now = clock.now();
  const { codes, codeHashes } = makeRecoveryCodes(config.masterKey, accountId);
  if (!(await insertFirstRecoveryCodes(tx, { accountId, codeHashes, now }))) return null;
  const actor = { kind: "payer", id: accountId } as const;
  await appendAudit(tx.sql, { at: now, actor, action: "recovery_codes.created", subjectId: accountId, requestId });
  return codes;
};
