import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  addParticipantRole,
  holdParticipantOfMerchant,
  insertParticipant,
} from "../../data/directory/participant-changes.ts";
import { findMerchant, type MerchantRow } from "../../data/merchants/merchants.ts";
import { newId } from "../../kernel/ids.ts";
import { asciiAddress } from "../rules/entry-address.ts";
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

/** What the settings of a merchant say about its entry. */
export const entryOfMerchant = ({ id: merchantId, displayName, legalName, websiteUri }: MerchantRow) => ({
  merchantId,
  displayName,
  legalName,
  // The directory accepts https addresses only.
  websiteUri: websiteUri?.startsWith("https:") ? asciiAddress(websiteUri) : null,
});

/** A merchant's entry: the existing one or a new one. It stays the merchant's until the caller's transaction ends. */
const enterMerchant = async (sql: Sql, { merchantId, at }: { merchantId: string; at: Date }): Promise<string> => {
  const known = await holdParticipantOfMerchant(sql, merchantId);
  if (known !== null) return known;
  const merchant = await findMerchant(sql, merchantId);
  if (merchant === null) throw new Error(`merchant ${merchantId} does not exist`);
  const id = newId("ptc");
  const isNew = await insertParticipant(sql, { ...entryOfMerchant(merchant), id, role: "merchant", at });
  // If it isn't new, another transaction inserted the entry, and this insertion waited until that one had committed.
  return isNew ? id : ((await holdParticipantOfMerchant(sql, merchantId)) ?? id);
};
