import type { Sql } from "../../data/client.ts";
import { updateStatusBits } from "../../data/credentials/status-lists.ts";

/**
 * Sets the status bits of one version or all versions of a mandate, in the caller's transaction. The publisher signs
 * new lists within two seconds of the commit. `revoked` is never cleared. `suspended`: whether the mandate is still
 * suspended by any actor. `at` is real time, which lists use.
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
