import type { Sql } from "../../data/client.ts";
import { appendParticipantVersion, findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";

/** Records in the entry and its history that the merchant was suspended or reinstated in the same transaction. */
export const recordSuspension = async (
  sql: Sql,
  { merchantId, isSuspended, at }: { merchantId: string; isSuspended: boolean; at: Date },
): Promise<void> => {
  const id = await findParticipantOfMerchant(sql, merchantId);
  if (id !== null) await appendParticipantVersion(sql, { id, change: isSuspended ? "suspended" : "resumed", at });
};
