import { findPendingSignUpByCookie, type PendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { readSignUpCookie } from "./rules/sign-up-cookie.ts";

/** The sign-up that this browser began within the last 24 hours; null if there is none. */
export const findPendingSignUp = async (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  cookieHeader: string | null,
): Promise<PendingSignUp | null> => {
  const secret = readSignUpCookie(config.environment, cookieHeader);
  return secret === null ? null : findPendingSignUpByCookie(db, sha256Base64url(secret), clock.now());
};
