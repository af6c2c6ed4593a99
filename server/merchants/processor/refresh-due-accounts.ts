import { listDueAccounts } from "../../data/merchants/processor-accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { connectable } from "./connectable.ts";
import { refreshAccount } from "./refresh-account.ts";

const openSeconds = 3_600;
const enabledSeconds = 24 * 3_600;
/** Accounts per run. The next run reads the others. */
const limit = 200;

/**
 * Reads the accounts whose events may have been lost: hourly, or daily if they accept charges. An account that can't be
 * read is read again in the next run.
 */
export const refreshDueAccounts = async (
  deps: Deps,
  { requestId }: { requestId: string },
): Promise<{ read: number; failed: number }> => {
  if (deps.config.stripe === null) return { read: 0, failed: 0 };
  const now = deps.clock.now();
  const due = await listDueAccounts(deps.db.sql, {
    processor: connectable,
    openBefore: addSeconds(now, -openSeconds),
    enabledBefore: addSeconds(now, -enabledSeconds),
    limit,
  });
  let failed = 0;
  for (const merchantId of due) {
    try {
      await refreshAccount(deps, { merchantId, requestId });
    } catch (error) {
      if (!isDomainError(error)) throw error;
      failed += 1;
    }
  }
  return { read: due.length - failed, failed };
};
