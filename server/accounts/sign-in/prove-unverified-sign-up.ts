import { findUnverifiedSignUp, updateSignUpReturn } from "../../data/accounts/pending-sign-ups.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDefaultReturn } from "../rules/return-to.ts";
import { findPendingSignUp } from "../sign-up/find-pending-sign-up.ts";
import { signUpCookie, signUpSecret } from "../sign-up/rules/sign-up-cookie.ts";
import { verifyPassword } from "./passwords.ts";

/**
 * The sign-up with this address and password that is waiting for its code. A sign-up that this browser began is
 * preferred; otherwise, the newest is used. If there is none, the search takes the same time.
 * @returns the cookie for its code page; null if there is none.
 */
export const proveUnverifiedSignUp = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { email: string; password: string; cookieHeader: string | null; returnTo: string },
): Promise<string | null> => {
  const { email, returnTo } = input;
  const own = await findPendingSignUp(deps, input.cookieHeader);
  const newest = await findUnverifiedSignUp(deps.db, email, deps.clock.now());
  const pending = own?.email === email && own.verifiedAt === null && own.passwordHash !== null ? own : newest;
  const isProved = await verifyPassword(pending?.passwordHash ?? null, input.password);
  if (!pending || !isProved) return null;
  if (!isDefaultReturn(returnTo)) await updateSignUpReturn(deps.db, pending.id, returnTo);
  const { environment, masterKey } = deps.config;
  return signUpCookie(environment, signUpSecret(masterKey, pending.id));
};
