import type { Sql } from "../../data/client.ts";
import { appendParticipantVersion, findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";

/** A merchant was suspended, or that was lifted, in the same transaction: its entry says so, and has it in its history. */
export const noteSuspension = async (
  sql: Sql,
  { merchantId, isSuspended, at }: { merchantId: string; isSuspended: boolean; at: Date },
): Promise<void> => {
  const id = await findParticipantOfMerchant(sql, merchantId);
  if (id !== null) await appendParticipantVersion(sql, { id, change: isSuspended ? "suspended" : "resumed", at });
};
