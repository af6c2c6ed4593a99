import { giveBackSignInAttempts } from "../../data/accounts/accounts.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type AccountReader, queueSecurityMail } from "../notices/queue-security-mail.ts";
import { renewProof } from "../sessions/renew-proof.ts";
import { recoveryCodeAcr } from "../sessions/sessions.ts";
import { takeStepUpAttempt } from "../sign-in/sign-in-attempts.ts";
import { useRecoveryCode } from "./use-recovery-code.ts";

/**
 * Renews the proof of identity of a session with a recovery code, for a person who can use neither a password nor a
 * passkey. Attempts are limited per session.
 * @throws DomainError recovery_code_refused, too_many_attempts, session_not_found.
 */
export const confirmRecoveryCode = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: AccountReader; sessionId: string; code: string; info: RequestInfo },
): Promise<void> => {
  const { account, sessionId, code, info } = input;
  const { requestId } = info;
  const taken = await takeStepUpAttempt(deps, { accountId: account.id, sessionId });
  const isUsed = await deps.db.transaction(async (tx) => {
    const used = await useRecoveryCode(deps, tx, { accountId: account.id, code, requestId });
    if (used === null) return false;
    await renewProof(deps, tx, { accountId: account.id, sessionId, acr: recoveryCodeAcr, requestId });
    await queueSecurityMail(deps, tx, { account, event: { kind: "recovery_code_used", ...used }, requestId });
    return true;
  });
  if (!isUsed) throw recoveryCodeRefusal();
  await giveBackSignInAttempts(deps.db.sql, taken);
};

const recoveryCodeRefusal = () =>
  new DomainError("forbidden", {
    code: "recovery_code_refused",
    message: "This recovery code is wrong or was already used. Try another one.",
  });
