import { takeLimitedAttempt } from "../../data/accounts/accounts.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isLoopbackAddress } from "../../kernel/text/ip-address.ts";
import { knownBrowserId, type MarkedAccount, readKnownBrowser } from "../rules/known-browser.ts";
import {
  type AttemptPurpose,
  knownBrowserLimit,
  type SignInLimit,
  stepUpLimit,
  strangerLimits,
  totpLimit,
} from "../rules/sign-in-limits.ts";

type LimitDeps = Pick<Deps, "db" | "clock" | "config">;

type SignInClaim = {
  /** what identifies the claimed account: an e-mail address, or the credential id of a passkey */
  claimed: string;
  /** the claimed account; null if it doesn't exist */
  account: MarkedAccount | null;
  cookieHeader: string | null;
  info: RequestInfo;
};

/**
 * Counts an attempt before its proof is verified. The limit is per browser if the browser is known to the account, else
 * per account and per IP address.
 * @returns the keys with which a successful attempt is removed from the count. @throws DomainError too_many_attempts.
 */
export const takeSignInAttempts = (deps: LimitDeps, claim: SignInClaim): Promise<string[]> =>
  takeAttempts(deps, limitsOf(deps, "sign_in", claim));

/** Counts an attempt with a recovery code, which has its own limits. */
export const takeRecoveryAttempts = (deps: LimitDeps, claim: SignInClaim): Promise<string[]> =>
  takeAttempts(deps, limitsOf(deps, "recovery", claim));

/** Counts a request for a password reset. A successful request isn't given back, so it counts like a failed one. */
export const takeResetAttempts = (deps: LimitDeps, claim: SignInClaim): Promise<string[]> =>
  takeAttempts(deps, limitsOf(deps, "reset", claim));

/** Counts an attempt to confirm one's identity within a session. */
export const takeStepUpAttempt = (
  deps: LimitDeps,
  session: { accountId: string; sessionId: string },
): Promise<string[]> => takeAttempts(deps, [stepUpLimit(session)]);

/**
 * Counts an attempt to enter a code. The limit is per account, because a person who knows the password could start any
 * number of sessions.
 */
export const takeTotpAttempt = (deps: LimitDeps, account: { accountId: string }): Promise<string[]> =>
  takeAttempts(deps, [totpLimit(account)]);

/** Counts an attempt under every limit. @returns the keys of the limits. @throws DomainError too_many_attempts. */
export const takeAttempts = async (deps: LimitDeps, limits: readonly SignInLimit[]): Promise<string[]> => {
  for (const limit of limits) {
    if (!(await takeLimitedAttempt(deps.db.sql, limit, deps.clock.now()))) throw tooManyAttemptsRefusal(limit);
  }
  return limits.map(({ key }) => key);
};

const limitsOf = (
  { config, clock }: Pick<Deps, "clock" | "config">,
  purpose: AttemptPurpose,
  { claimed, account, cookieHeader, info }: SignInClaim,
): SignInLimit[] => {
  const browser = readKnownBrowser(config.environment, cookieHeader);
  const browserId = account && knownBrowserId(browser, { key: config.masterKey, account, now: clock.now() });
  if (browserId !== null) return [knownBrowserLimit(purpose, browserId)];
  return strangerLimits({ purpose, claimedHash: sha256Base64url(claimed), ipAddress: limitedAddress(config, info) });
};

/** The IP address to limit; null if it is unknown and, with the embedded database, by default on loopback. */
export const limitedAddress = (
  config: Pick<Deps["config"], "isEmbedded" | "rateLimitLoopback">,
  { ipAddress }: Pick<RequestInfo, "ipAddress">,
): string | null => {
  const isExempt = config.isEmbedded && !config.rateLimitLoopback && isLoopbackAddress(ipAddress);
  return isExempt || ipAddress === "" ? null : ipAddress;
};

const tooManyAttemptsRefusal = (limit: SignInLimit) =>
  new DomainError("rate_limited", {
    code: "too_many_attempts",
    message:
      limit.drainSeconds > 60
        ? "Too many attempts. Wait a few minutes, then try again."
        : "Too many attempts. Wait a minute, then try again.",
    headers: { "retry-after": String(limit.drainSeconds) },
  });
