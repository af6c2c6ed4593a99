import { findEmailChangeByLink } from "../../data/accounts/email-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { completeEmailChange, emailChangeGone } from "./complete-email-change.ts";

/**
 * Completes a change of e-mail address with the token of the link. This works in any browser, because the link was sent
 * only to the new address.
 * @throws DomainError email_change_gone, email_taken.
 */
export const confirmEmailLink = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { token, requestId }: { token: string; requestId: string },
): Promise<{ email: string }> => {
  const change = await findEmailChangeByLink(deps.db, sha256Base64url(token), deps.clock.now());
  if (change === null) throw emailChangeGone();
  return completeEmailChange(deps, { changeId: change.id, accountId: change.accountId, requestId });
};
