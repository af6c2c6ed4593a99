import { findPasswordHash, giveBackSignInAttempts, holdPassword } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { renewProof } from "../sessions/renew-proof.ts";
import { passwordAcr } from "../sessions/sessions.ts";
import { verifyPassword } from "./passwords.ts";
import { takeStepUpAttempt } from "./sign-in-attempts.ts";

/**
 * Renews the proof of identity of a session with the password, so that a risky action is allowed. Attempts are limited
 * per session, so other people who know the e-mail address can't use up the limit.
 * @throws DomainError password_refused, too_many_attempts, session_not_found if the session has ended.
 */
export const confirmPassword = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { accountId: string; sessionId: string; password: string; info: RequestInfo },
): Promise<void> => {
  const { accountId, sessionId } = input;
  const { requestId } = input.info;
  const passwordHash = await findPasswordHash(deps.db.prisma, accountId);
  const taken = await takeStepUpAttempt(deps, { accountId, sessionId });
  const isProved = await verifyPassword(passwordHash, input.password);
  const isRenewed = await deps.db.transaction(async (tx) => {
    // A password that was changed after its verification is refused too.
    if (!isProved || passwordHash === null || !(await holdPassword(tx.sql, { accountId, passwordHash }))) return false;
    await renewProof(deps, tx, { accountId, sessionId, acr: passwordAcr, requestId });
    return true;
  });
  if (isRenewed) return giveBackSignInAttempts(deps.db.sql, taken);
  const actor = { kind: "payer", id: accountId } as const;
  const refusal = { action: "session.refused", subjectId: accountId, requestId };
  await appendAudit(deps.db.sql, { at: deps.clock.now(), actor, ...refusal });
  throw new DomainError("forbidden", {
    code: "password_refused",
    message: "The password is wrong. Check it and try again.",
  });
};
