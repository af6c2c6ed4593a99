import { findProfile, type ProfileRow } from "../../data/accounts/credentials.ts";
import type { Deps } from "../../deps/deps.ts";

/** The name, address, language, time zone and currency of an account. */
export const getProfile = (
  { db }: Pick<Deps, "db">,
  { accountId }: { accountId: string },
): Promise<ProfileRow & { email: string }> => findProfile(db, accountId);
