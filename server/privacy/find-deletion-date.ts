import { findAccountDeletion } from "../data/privacy/account-deletion.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { coolingOffSeconds } from "./rules/periods.ts";

/** When the account's personal data is removed; null if no deletion is scheduled. */
export const findDeletionDate = async (
  { db }: Pick<Deps, "db">,
  { accountId }: { accountId: string },
): Promise<Date | null> => {
  const requestedAt = await findAccountDeletion(db.sql, accountId);
  return requestedAt && addSeconds(requestedAt, coolingOffSeconds);
};
