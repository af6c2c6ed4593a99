import { giveBackSignInAttempts } from "../../data/accounts/accounts.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";
import { recordSignIn } from "../history/record-sign-in.ts";
import { recoveryCodeAcr } from "../sessions/sessions.ts";
import { type SignIn, startSession } from "../sessions/start-session.ts";
import { findUsableAccount } from "../sign-in/find-usable-account.ts";
import { takeRecoveryAttempts } from "../sign-in/sign-in-attempts.ts";
import { useRecoveryCode } from "./use-recovery-code.ts";

/**
 * Opens a session with an e-mail address and a recovery code, which then stops working. An unknown account, a wrong
 * code and a used one get the same answer after the same statements.
 * @throws DomainError recovery_code_refused, too_many_attempts.
 */
export const signInByRecoveryCode = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "places">,
  input: { email: string; code: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const email = tidyEmail(input.email);
  const account = await findUsableAccount(deps, email);
  const { code, cookieHeader, info } = input;
  const taken = await takeRecoveryAttempts(deps, { claimed: email, account, cookieHeader, info });
  const outcome = await deps.db.transaction(async (tx) => {
    const use = { accountId: account?.id ?? null, code, requestId: info.requestId };
    const used = await useRecoveryCode(deps, tx, use);
    if (!account || used === null) {
      await recordSignIn(deps, tx.sql, { accountId: use.accountId, outcome: "recovery_code_refused", info });
      return recoveryCodeRefusal();
    }
    const session = { accountId: account.id, acr: recoveryCodeAcr, cookieHeader, info };
    const notice = { kind: "recovery_code_used", ...used } as const;
    return startSession(deps, tx, { ...session, outcome: "recovery_code", notice });
  });
  // The refusal is thrown after the commit, so that its entries in the audit log and in the sign-in history are kept.
  if (isDomainError(outcome)) throw outcome;
  await giveBackSignInAttempts(deps.db.sql, taken);
  return outcome;
};

const recoveryCodeRefusal = () =>
  new DomainError("unauthenticated", {
    code: "recovery_code_refused",
    message:
      "E-mail and recovery code don’t match an account, or the code was already used. Check both, then try again.",
  });
