import { replaceRecoveryCodes } from "../../data/accounts/recovery-codes.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { type AccountReader, queueSecurityMail } from "../notices/queue-security-mail.ts";
import { lockAccountOfSession } from "../sessions/lock-account-of-session.ts";
import { makeRecoveryCodes } from "./make-recovery-codes.ts";

/**
 * Creates ten recovery codes; earlier codes stop working. The owner is informed by e-mail.
 * @returns the codes, to be shown once. @throws DomainError session_not_found.
 */
export const regenerateRecoveryCodes = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, sessionId, requestId }: { account: AccountReader; sessionId: string; requestId: string },
): Promise<string[]> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    await lockAccountOfSession(tx.sql, { accountId: account.id, sessionId, now });
    const { codes, codeHashes } = makeRecoveryCodes(deps.config.masterKey, account.id);
    await replaceRecoveryCodes(tx, { accountId: account.id, codeHashes, now });
    const actor = { kind: "payer", id: account.id } as const;
    await appendAudit(tx.sql, { at: now, actor, action: "recovery_codes.created", subjectId: account.id, requestId });
    await queueSecurityMail(deps, tx, { account, event: { kind: "recovery_codes_created" }, requestId });
    return codes;
  });
