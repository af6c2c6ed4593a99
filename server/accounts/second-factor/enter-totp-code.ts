import { giveBackSignInAttempts } from "../../data/accounts/accounts.ts";
import { consumeTotpStep, findTotp, markSecondFactor } from "../../data/accounts/second-factors.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { totpStepOf } from "../rules/totp.ts";
import type { SessionContext } from "../sessions/find-session.ts";
import { sessionNotFound } from "../sessions/lock-account-of-session.ts";
import { takeTotpAttempt } from "../sign-in/sign-in-attempts.ts";
import { requireSecondFactor } from "./require-second-factor.ts";
import { totpContext } from "./totp-context.ts";

type Entry = { session: SessionContext; code: string; info: RequestInfo };

/**
 * Proves the second factor of a session with a code of the authenticator app. The first code of a new secret confirms
 * it. A code is accepted once, even when two requests send it at the same time. Attempts are limited per account.
 * @throws DomainError code_refused, too_many_attempts, second_factor_required, session_not_found.
 */
export const enterTotpCode = async (
  deps: Pick<Deps, "db" | "clock" | "sealer" | "config">,
  { session, code, info }: Entry,
): Promise<void> => {
  const { sessionId, account } = session;
  const accountId = account.id;
  const taken = await takeTotpAttempt(deps, { accountId });
  const outcome = await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const by = { at: now, actor: { kind: "operator", id: accountId } as const, requestId: info.requestId };
    const totp = await findTotp(tx, accountId);
    // The account may have another factor by now. A new secret must not replace that factor.
    if (totp && totp.confirmedAt === null) await requireSecondFactor(deps, session);
    // A secret that another session saw is not confirmed.
    const isShownHere = totp !== null && (totp.confirmedAt !== null || totp.sessionId === sessionId);
    const step = isShownHere
      ? totpStepOf(deps.sealer.open(totp.sealedSecret, totpContext(accountId)), code, now)
      : null;
    const use = totp && step !== null && { accountId, sealedSecret: totp.sealedSecret, step, now };
    if (!use || !(await consumeTotpStep(tx.sql, use))) {
      await appendAudit(tx.sql, { ...by, action: "second_factor.refused", subjectId: accountId });
      // The refusal is returned, not thrown, so that its audit entry is committed.
      return codeRefusal();
    }
    if (!(await markSecondFactor(tx.sql, { sessionId, accountId, now }))) throw sessionNotFound();
    const action = totp.confirmedAt === null ? "second_factor.set_up" : "second_factor.proved";
    await appendAudit(tx.sql, { ...by, action, subjectId: accountId, data: { by: "totp", session: sessionId } });
    return null;
  });
  if (isDomainError(outcome)) throw outcome;
  await giveBackSignInAttempts(deps.db.sql, taken);
};

const codeMessage = "The code is wrong or was already used. Wait for the next code of your app, then enter it.";

/**
 * A wrong code and a used code get the same error, so that the answer reveals nothing about earlier codes.
 */
const codeRefusal = () =>
  new DomainError("invalid", {
    code: "code_refused",
    message: codeMessage,
    errors: [{ pointer: "/code", detail: codeMessage }],
  });
