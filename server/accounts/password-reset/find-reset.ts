import { findResetAccount } from "../../data/accounts/password-resets.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/** The address whose password a link can reset; null for an unknown, used or expired link. Changes nothing. */
export const findReset = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { token }: { token: string },
): Promise<{ email: string } | null> => {
  const account = await findResetAccount(db, { tokenHash: sha256Base64url(token), now: clock.now() });
  return account && { email: account.email };
};
