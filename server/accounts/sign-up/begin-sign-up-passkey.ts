import type { PendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import type { Deps } from "../../deps/deps.ts";
import { beginAddingPasskey } from "../passkeys/begin-adding-passkey.ts";
import { signUpGoneRefusal, signUpStepRefusal } from "./advance-sign-up.ts";
import { findPendingSignUp } from "./find-pending-sign-up.ts";
import { signUpStateOf } from "./rules/sign-up-state.ts";

type SignUpDeps = Pick<Deps, "db" | "clock" | "config">;

/**
 * The browser's sign-up, if its address is verified and it needs a passkey or a password.
 * @throws DomainError sign_up_gone, sign_up_not_ready.
 */
export const getSignUpForCredential = async (deps: SignUpDeps, cookieHeader: string | null): Promise<PendingSignUp> => {
  const pending = await findPendingSignUp(deps, cookieHeader);
  if (!pending) throw signUpGoneRefusal();
  if (signUpStateOf(pending, deps.clock.now()) !== "credential") throw signUpStepRefusal();
  return pending;
};

/** The options to create the first passkey of an account that doesn't exist yet. */
export const beginSignUpPasskey = async (deps: SignUpDeps, { cookieHeader }: { cookieHeader: string | null }) => {
  const { id, accountId, email, displayName } = await getSignUpForCredential(deps, cookieHeader);
  return beginAddingPasskey(deps, { account: { id: accountId, email, displayName }, sessionId: id });
};
