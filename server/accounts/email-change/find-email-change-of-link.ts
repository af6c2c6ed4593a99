import { findEmailChangeByLink } from "../../data/accounts/email-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { maskEmail } from "./rules/mask-email.ts";

export type LinkedEmailChange = { email: string; account: { displayName: string; maskedEmail: string } };

/**
 * The change that a link confirms, and the account that began it. The owner of the new address must recognize the
 * account: otherwise, a stranger could make them confirm their address for the stranger's account. Changes nothing.
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
