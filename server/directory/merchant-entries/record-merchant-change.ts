import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";
import type { Participant } from "../participants/participant.wire.ts";
import { recordVersion } from "../participants/record-version.ts";

type MerchantChange = {
  merchantId: string;
  change: "suspended" | "resumed" | "capabilities_changed" | "edited";
  changedBy: Actor["kind"];
  environment: Participant["environment"];
  at: Date;
};

/** Records a change of the merchant in its entry and its history, in the transaction of the change. */
export const recordMerchantChange = async (
  sql: Sql,
  { merchantId, change, changedBy, environment, at }: MerchantChange,
): Promise<void> => {
  const id = await findParticipantOfMerchant(sql, merchantId);
  if (id === null) return;
  await recordVersion(sql, { id, change, changedBy, environment, at });
};
