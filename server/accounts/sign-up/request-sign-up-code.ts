import { renewSignUpCode } from "../../data/accounts/pending-sign-ups.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { mailedCodeTries } from "../mailed-code.ts";
import { limitedAddress, takeAttempts } from "../sign-in/sign-in-attempts.ts";
import { type BrowserRequest, signUpGoneRefusal, signUpStepRefusal } from "./advance-sign-up.ts";
import { findPendingSignUp } from "./find-pending-sign-up.ts";
import { makeSignUpCode, queueSignUpMail } from "./mail-sign-up.ts";
import { signUpLimits } from "./rules/sign-up-limits.ts";
import { signUpStateOf } from "./rules/sign-up-state.ts";

/** Codes for one sign-up, the first included. */
const maxCodes = 5;

/**
 * Sends a new code and a new link. The earlier code and link become invalid.
 * @throws DomainError sign_up_gone, sign_up_not_ready if the address is already verified, too_many_codes.
 */
export const requestSignUpCode = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { cookieHeader, info }: BrowserRequest,
): Promise<void> => {
  const pending = await findPendingSignUp(deps, cookieHeader);
  if (!pending) throw signUpGoneRefusal();
  if (signUpStateOf(pending, deps.clock.now()) !== "code") throw signUpStepRefusal();
  const { id, email } = pending;
  const emailHash = sha256Base64url(email);
  try {
    await takeAttempts(deps, signUpLimits({ emailHash, ipAddress: limitedAddress(deps.config, info) }));
  } catch (error) {
    throw isDomainError(error) && error.code === "too_many_attempts" ? tooManyCodesRefusal() : error;
  }
  const made = await makeSignUpCode(deps, { id, email });
  const { codeHash, linkHash, codeExpiresAt, isTaken } = made;
  await deps.db.transaction(async (tx) => {
    const renewed = { id, codeHash, linkHash, codeExpiresAt, isTaken, tries: mailedCodeTries, maxCodes };
    if (!(await renewSignUpCode(tx.sql, renewed))) throw tooManyCodesRefusal();
    await queueSignUpMail(deps, tx.sql, { to: pending, made, requestId: info.requestId });
  });
};

const tooManyCodesRefusal = (): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_codes",
    message: "Too many codes were requested for this address. Wait 15 minutes, then sign up again.",
    headers: { "retry-after": "900" },
  });
