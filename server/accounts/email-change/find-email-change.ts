import { findEmailChangeByLink, findOpenEmailChange } from "../../data/accounts/email-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/**
 * Finds the change of e-mail address that is waiting for its code, by account or by the token of its link. Changes
 * nothing.
 */
export const findEmailChange = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  by: { accountId: string } | { token: string },
): Promise<{ email: string; expiresAt: Date } | null> => {
  const now = clock.now();
  const change =
    "token" in by
      ? await findEmailChangeByLink(db, sha256Base64url(by.token), now)
      : await findOpenEmailChange(db, by.accountId, now);
  return change && { email: change.email, expiresAt: change.expiresAt };
};
