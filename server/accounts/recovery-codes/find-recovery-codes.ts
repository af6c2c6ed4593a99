import { findRecoveryCodeState } from "../../data/accounts/recovery-codes.ts";
import type { Deps } from "../../deps/deps.ts";

/**
 * How many recovery codes are left, and when they were created; null if no codes were created since the last password
 * reset, which deletes them.
 */
export const findRecoveryCodes = (
  { db }: Pick<Deps, "db">,
  { accountId }: { accountId: string },
): Promise<{ left: number; createdAt: Date } | null> => findRecoveryCodeState(db.prisma, accountId);
