import { findPendingSignUpByLink, type PendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import type { Deps } from "../../deps/deps.ts";
import { secretsEqual, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { advanceSignUp, type BrowserRequest, type SignUpOutcome } from "./advance-sign-up.ts";
import { readSignUpCookie } from "./rules/sign-up-cookie.ts";

type LinkDeps = Pick<Deps, "db" | "clock" | "config" | "places">;

/** The sign-up of a link; null if the link is unknown or has expired. Reading it verifies nothing. */
export const findSignUpOfLink = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  token: string,
): Promise<PendingSignUp | null> => {
  const now = clock.now();
  const pending = await findPendingSignUpByLink(db, sha256Base64url(token), now);
  return pending && !pending.isTaken && (pending.verifiedAt !== null || pending.codeExpiresAt > now) ? pending : null;
};

/**
 * Verifies the address after a person opened the link and pressed the button. The session opens only in a browser that
 * has the sign-up's cookie.
 * @throws DomainError link_expired.
 */
export const confirmSignUp = async (
  deps: LinkDeps,
  { token, ...request }: BrowserRequest & { token: string },
): Promise<SignUpOutcome> => {
  const pending = await findSignUpOfLink(deps, token);
  if (!pending) throw expiredLinkRefusal();
  if (pending.completedAt !== null) return { kind: "confirmed" };
  const secret = readSignUpCookie(deps.config.environment, request.cookieHeader);
  const isOwnBrowser = secret !== null && secretsEqual(sha256Base64url(secret), pending.cookieHash);
  return advanceSignUp(deps, pending, { ...request, isOwnBrowser });
};

const expiredLinkRefusal = (): DomainError =>
  new DomainError("not_found", {
    code: "link_expired",
    message: "This link has expired. Request a new code where you signed up.",
  });
