import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";
import type { Participant } from "./participant.wire.ts";
import { recordVersion } from "./record-version.ts";

type Suspension = {
  merchantId: string;
  isSuspended: boolean;
  changedBy: Actor["kind"];
  environment: Participant["environment"];
  at: Date;
};

/** Records in the entry and its history that the merchant was suspended or reinstated in the same transaction. */
export const recordSuspension = async (
  sql: Sql,
  { merchantId, isSuspended, changedBy, environment, at }: Suspension,
): Promise<void> => {
  const id = await findParticipantOfMerchant(sql, merchantId);
  if (id === null) return;
  await recordVersion(sql, { id, change: isSuspended ? "suspended" : "resumed", changedBy, environment, at });
};
