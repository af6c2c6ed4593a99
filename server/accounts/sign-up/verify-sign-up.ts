import { type PendingSignUp, takeSignUpTry } from "../../data/accounts/pending-sign-ups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isMailedCode } from "../mailed-code.ts";
import { advanceSignUp, type BrowserRequest, type SignUpOutcome, signUpGoneRefusal } from "./advance-sign-up.ts";
import { findPendingSignUp } from "./find-pending-sign-up.ts";
import { signUpStateOf } from "./rules/sign-up-state.ts";

type VerifyDeps = Pick<Deps, "db" | "clock" | "config" | "places">;

/**
 * Verifies the code that the browser of the sign-up sent, and continues the sign-up. If the link has already verified
 * the address, any code is accepted. Each try is counted before the code is compared.
 * @throws DomainError sign_up_gone, code_wrong, code_expired.
 */
export const verifySignUp = async (
  deps: VerifyDeps,
  { code, ...request }: BrowserRequest & { code: string },
): Promise<SignUpOutcome> => {
  const pending = await findPendingSignUp(deps, request.cookieHeader);
  if (!pending) throw signUpGoneRefusal();
  const state = signUpStateOf(pending, deps.clock.now());
  const { returnTo } = pending;
  if (state === "sign_in" || state === "done") return { kind: "sign_in", returnTo };
  if (state === "code" && !(await isRightCode(deps, pending, { code, info: request.info }))) {
    // A concurrent request or the link may have verified the address. The result is the same for this browser.
    const current = await findPendingSignUp(deps, request.cookieHeader);
    if (!current?.verifiedAt) throw expiredCodeRefusal();
  }
  return advanceSignUp(deps, pending, { ...request, isOwnBrowser: true });
};

/** @returns false if the code has expired or no try is left. @throws DomainError code_wrong. */
const isRightCode = async (
  deps: VerifyDeps,
  { id }: PendingSignUp,
  { code, info }: { code: string; info: RequestInfo },
): Promise<boolean> => {
  const at = deps.clock.now();
  const tried = await takeSignUpTry(deps.db.sql, id, at);
  if (!tried) return false;
  const sent = { purpose: "sign_up_code", id, codeHash: tried.codeHash } as const;
  if (isMailedCode(deps.config.masterKey, sent, code) && !tried.isTaken) return true;
  const actor = { kind: "anonymous", id: "-" } as const;
  await appendAudit(deps.db.sql, { at, actor, action: "sign_up.refused", subjectId: id, requestId: info.requestId });
  throw wrongCodeRefusal();
};

const wrongCodeRefusal = (): DomainError =>
  new DomainError("invalid", {
    code: "code_wrong",
    message: "The code is wrong. Check the e-mail, then enter the code again.",
  });

const expiredCodeRefusal = (): DomainError =>
  new DomainError("conflict", { code: "code_expired", message: "The code has expired. Request a new one." });
