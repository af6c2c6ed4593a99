import { findPasskeysOfAccount } from "../../data/accounts/passkeys.ts";
import type { Deps } from "../../deps/deps.ts";

export type PasskeyView = {
  id: string;
  name: string;
  /** synced by a password manager */
  isBackedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** Oldest first. */
export const listPasskeys = async (
  { db }: Pick<Deps, "db">,
  { accountId }: { accountId: string },
): Promise<PasskeyView[]> => {
  const passkeys = await findPasskeysOfAccount(db, accountId);
  return passkeys.map(({ id, name, isBackedUp, createdAt, lastUsedAt }) => ({
    id,
    name,
    isBackedUp,
    createdAt,
    lastUsedAt,
  }));
};
