import type { Sql } from "../../data/client.ts";
import { updateStatusBits } from "../../data/credentials/status-lists.ts";

/**
 * Flips the status bits of one version of a mandate, or of all, in the caller's transaction; the publisher makes new
 * lists within a second or two of its commit. `revoked` never flips back. `suspended` is the outcome for the mandate,
 * whichever actors' suspensions stand. `at` is real time, which the lists follow whenever in business time it was.
 */
export const markStatus = async (
  sql: Sql,
  input: { mandateId: string; version: number | "all"; revoked?: true; suspended?: boolean; at: Date },
): Promise<void> => {
  await updateStatusBits(sql, {
    mandateId: input.mandateId,
    version: input.version === "all" ? null : input.version,
    revoked: input.revoked ?? false,
    suspended: input.suspended ?? null,
    at: input.at,
  });
};
