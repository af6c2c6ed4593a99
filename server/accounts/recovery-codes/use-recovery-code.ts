import { consumeRecoveryCode, findRecoveryCodeState } from "../../data/accounts/recovery-codes.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { recoveryCodeHash } from "../rules/recovery-code.ts";

type Use = {
  /** null: the claimed account doesn't exist */
  accountId: string | null;
  code: string;
  requestId: string;
};

/** `left`: the codes that can still be used. */
export type UsedRecoveryCode = { left: number };

/**
 * Consumes a recovery code in the caller's transaction. At most one caller per code gets a result; every other gets
 * null. A refusal is audited. The same statements run for an unknown account.
 */
export const useRecoveryCode = async (
  { clock, config }: Pick<Deps, "clock" | "config">,
  tx: Tx,
  { accountId, code, requestId }: Use,
): Promise<UsedRecoveryCode | null> => {
  const now = clock.now();
  const claimedId = accountId ?? "-";
  const codeHash = recoveryCodeHash(config.masterKey, claimedId, code);
  const isUsed = await consumeRecoveryCode(tx.sql, { accountId: claimedId, codeHash, now });
  const left = (await findRecoveryCodeState(tx, claimedId))?.left ?? 0;
  await appendAudit(tx.sql, {
    at: now,
    actor: isUsed ? { kind: "payer", id: claimedId } : { kind: "anonymous", id: "-" },
    action: isUsed ? "recovery_code.used" : "session.refused",
    subjectId: claimedId,
    requestId,
    data: isUsed ? { left } : { by: "recovery_code" },
  });
  return isUsed ? { left } : null;
};
