import { findEmailChangeByLink } from "../../data/accounts/email-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { maskEmail } from "./rules/mask-email.ts";

export type LinkedEmailChange = { email: string; account: { displayName: string; maskedEmail: string } };

/**
 * The change that a link confirms, and the account that began it. Changes nothing. The page shows the account, so that
 * the owner of the new address can recognize it. Otherwise, a stranger could trick the owner into confirming the
 * address for the stranger's account.
 */
export const findEmailChangeOfLink = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { token }: { token: string },
): Promise<LinkedEmailChange | null> => {
  const change = await findEmailChangeByLink(db, sha256Base64url(token), clock.now());
  if (change === null) return null;
  const { displayName, email } = change.account;
  return { email: change.email, account: { displayName, maskedEmail: maskEmail(email) } };
};
