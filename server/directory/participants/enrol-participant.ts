import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  addParticipantRole,
  findParticipantOfMerchant,
  insertParticipant,
} from "../../data/directory/participant-changes.ts";
import { findMerchant } from "../../data/merchants/merchants.ts";
import { newId } from "../../kernel/ids.ts";
import type { Participant } from "./participant.wire.ts";
import { recordVersion } from "./record-version.ts";

type NewClient = {
  /** a merchant client belongs to the merchant's entry */
  merchantId: string | null;
  /**
   * the participant that owns the client, because its token permitted the registration; null: the client gets its own
   * participant
   */
  participantId: string | null;
  name: string;
  at: Date;
};

/**
 * Assigns a new client to a participant, in the transaction that registers it: its merchant's entry, the entry of the
 * participant that permitted it, or a new entry. After the client is inserted, the caller records the version.
 * @returns the participant's id.
 */
export const enrolParticipant = async (
  sql: Sql,
  { merchantId, participantId, name, at }: NewClient,
): Promise<string> => {
  if (merchantId !== null) return enterMerchant(sql, { merchantId, at });
  if (participantId === null) {
    const id = newId("ptc");
    await insertParticipant(sql, { id, role: "client", merchantId, displayName: name, legalName: null, at });
    return id;
  }
  await addParticipantRole(sql, participantId, "client");
  return participantId;
};

type NewMerchant = {
  merchantId: string;
  changedBy: Actor["kind"];
  environment: Participant["environment"];
  at: Date;
};

/** Adds the entry of a merchant that has no clients yet, with its first version. */
export const enrolMerchant = async (
  sql: Sql,
  { merchantId, changedBy, environment, at }: NewMerchant,
): Promise<void> => {
  const id = await enterMerchant(sql, { merchantId, at });
  await recordVersion(sql, { id, change: "registered", changedBy, at, environment });
};

/** A merchant's entry: the existing one or a new one. */
const enterMerchant = async (sql: Sql, { merchantId, at }: { merchantId: string; at: Date }): Promise<string> => {
  const known = await findParticipantOfMerchant(sql, merchantId);
  if (known !== null) return known;
  const merchant = await findMerchant(sql, merchantId);
  if (merchant === null) throw new Error("the client's merchant does not exist");
  const id = newId("ptc");
  const { displayName, legalName } = merchant;
  // The directory accepts https addresses only.
  const websiteUri = merchant.websiteUri?.startsWith("https:") ? merchant.websiteUri : null;
  const entry = { id, role: "merchant", merchantId, displayName, legalName, websiteUri, at } as const;
  const isNew = await insertParticipant(sql, entry);
  // Another transaction inserted the entry first and has committed: this insertion waited for that transaction.
  return isNew ? id : ((await findParticipantOfMerchant(sql, merchantId)) ?? id);
};
