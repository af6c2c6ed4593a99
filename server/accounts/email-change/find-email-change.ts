import { findOpenEmailChange } from "../../data/accounts/email-changes.ts";
import type { Deps } from "../../deps/deps.ts";

/** The account's change of e-mail address that is waiting for its code. */
export const findEmailChange = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { accountId }: { accountId: string },
): Promise<{ email: string; expiresAt: Date } | null> => {
  const change = await findOpenEmailChange(db, accountId, clock.now());
  return change && { email: change.email, expiresAt: change.expiresAt };
};
