import { takeSignInAttempt } from "../data/accounts.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { isLoopbackAddress } from "../kernel/ip-address.ts";
import { type SignInLimit, signInLimits } from "./rules/sign-in-limits.ts";

/**
 * Counts one attempt to prove who is there, per account and per address, before it is looked at.
 * @param claimed whom it is said to be: an e-mail, or the credential id of a passkey.
 * @returns the keys to give it back under once it was right. @throws DomainError too_many_attempts.
 */
export const takeSignInAttempts = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  claimed: string,
  info: RequestInfo,
): Promise<string[]> => {
  const limits = limitsOf(deps, claimed, info);
  for (const limit of limits) {
    if (!(await takeSignInAttempt(deps.db.sql, limit, deps.clock.now()))) throw tooManyAttempts(limit);
  }
  return limits.map(({ key }) => key);
};

const limitsOf = (deps: Pick<Deps, "config">, claimed: string, info: RequestInfo): SignInLimit[] => {
  const isExempt = deps.config.isEmbedded && !deps.config.rateLimitLoopback && isLoopbackAddress(info.ipAddress);
  return signInLimits({
    claimedHash: sha256Base64url(claimed),
    ipAddress: isExempt || info.ipAddress === "" ? null : info.ipAddress,
  });
};

const tooManyAttempts = (limit: SignInLimit) =>
  new DomainError("rate_limited", "too_many_attempts", "Too many attempts. Wait a minute, then try again.", {
    headers: { "retry-after": String(limit.drainSeconds) },
  });
