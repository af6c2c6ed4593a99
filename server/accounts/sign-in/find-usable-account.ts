import { findAccountByEmail } from "../../data/accounts/accounts.ts";
import type { Account } from "../../data/generated/client.ts";
import type { Deps } from "../../deps/deps.ts";

/**
 * The account whose address a person entered to sign in.
 * @param email the result of `tidyEmail`.
 * @returns null for an unknown address, and for a demo account if `BASE_URL` isn't a loopback address.
 */
export const findUsableAccount = async (
  { db, config }: Pick<Deps, "db" | "config">,
  email: string,
): Promise<Account | null> => {
  const account = await findAccountByEmail(db, email);
  return account !== null && (!account.isDemo || config.isLoopback) ? account : null;
};
