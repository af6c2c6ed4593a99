import { type Sql, statement } from "../client.ts";
import { type ParticipantStatus, participantStatus, participantSuspended } from "./participants.ts";

type NewParticipant = {
  id: string;
  role: "authorization_server" | "merchant" | "client";
  merchantId: string | null;
  displayName: string;
  legalName: string | null;
  websiteUri?: string | null;
  at: Date;
};

const insert = statement<{ id: string }>(
  "insert_participant",
  `INSERT INTO participant (id, roles, merchant_id, display_name, legal_name, website_uri, contacts, contact_salts, created_at, updated_at)
   VALUES ($1, ARRAY[$2::text], $3::text, $4::text, $5::text, $7::text, '{}', '{}', $6::timestamptz, $6::timestamptz)
   ON CONFLICT DO NOTHING RETURNING id`,
);

/**
 * Inserts a participant without a version. @returns false if the id is taken or the merchant already has a participant.
 */
export const insertParticipant = async (sql: Sql, participant: NewParticipant): Promise<boolean> => {
  const { id, role, merchantId, displayName, legalName, websiteUri = null, at } = participant;
  return (await sql.query(insert, [id, role, merchantId, displayName, legalName, at, websiteUri])).length === 1;
};

const findOfMerchant = statement<{ id: string }>(
  "find_participant_of_merchant",
  "SELECT id FROM participant WHERE merchant_id = $1",
);

export const findParticipantOfMerchant = async (sql: Sql, merchantId: string): Promise<string | null> =>
  (await sql.query(findOfMerchant, [merchantId]))[0]?.id ?? null;

const holdOfMerchant = statement<{ id: string }>(
  "hold_participant_of_merchant",
  "SELECT id FROM participant WHERE merchant_id = $1 FOR KEY SHARE",
);

/**
 * Like `findParticipantOfMerchant`, but also locks the entry, so that it can't get another owner until the caller's
 * transaction ends. Does not wait for other changes of the entry.
 */
export const holdParticipantOfMerchant = async (sql: Sql, merchantId: string): Promise<string | null> => {
  const hold = async () => (await sql.query(holdOfMerchant, [merchantId]))[0]?.id ?? null;
  // If the statement waited for a transfer, it doesn't find the entry that the transfer gave to the merchant.
  return (await hold()) ?? hold();
};

export type LockedParticipant = {
  status: ParticipantStatus;
  /** whether the participant or its merchant is suspended, even if the status is withdrawn */
  isSuspended: boolean;
  /** whether the participant is the entry of the caller's merchant, or the caller's client belongs to it */
  isOwn: boolean;
};

const lock = statement<{ id: string }>(
  "lock_participant",
  "SELECT id FROM participant WHERE id = $1 FOR NO KEY UPDATE",
);
const readLocked = statement<LockedParticipant>(
  "read_held_participant",
  `SELECT ${participantStatus} AS status,
          ${participantSuspended} AS "isSuspended",
          EXISTS (SELECT 1 FROM client c WHERE c.id = $2::text AND c.participant_id = p.id AND c.deleted_at IS NULL)
            OR coalesce(p.merchant_id = $3::text, false) AS "isOwn"
     FROM participant p LEFT JOIN merchant m ON m.id = p.merchant_id WHERE p.id = $1`,
);

/**
 * Locks an entry until the caller's transaction ends. Every change of an entry takes this lock first. The entry is read
 * after the lock is acquired, because the previous holder may have changed the domains and the merchant that determine
 * the status.
 */
export const lockParticipant = async (
  sql: Sql,
  { id, clientId, merchantId }: { id: string; clientId: string | null; merchantId: string | null },
): Promise<LockedParticipant | null> => {
  await sql.query(lock, [id]);
  return (await sql.query(readLocked, [id, clientId, merchantId]))[0] ?? null;
};

const lockBoth = statement<{ id: string }>(
  "lock_two_participants",
  "SELECT id FROM participant WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE",
);

/** Locks two participants in the order of their ids, so that two callers can't deadlock. */
export const lockParticipantRows = async (sql: Sql, ids: readonly [string, string]): Promise<void> => {
  await sql.query(lockBoth, [ids]);
};

/** Locks the participant until the caller's transaction ends. */
export const lockParticipantRow = async (sql: Sql, id: string): Promise<void> => {
  await sql.query(lock, [id]);
};

export type ParticipantEdit = {
  displayName: string;
  legalName: string | null;
  websiteUri: string | null;
  logoUri: string | null;
  contacts: readonly string[];
  /** URLs of its metadata documents */
  metadataUris: readonly string[];
  /** in minor units, each currency once, sorted */
  maxChargeAmounts: readonly { currency: string; amount: number }[];
  isWithdrawn: boolean;
};

const update = statement<never>(
  "edit_participant",
  `UPDATE participant SET display_name = $2, legal_name = $3::text, website_uri = $4::text, logo_uri = $5::text,
     contacts = $6::text[], contact_salts = $9::text[], max_charge_amounts = $10::jsonb,
     withdrawn_at = CASE WHEN $7::boolean THEN coalesce(withdrawn_at, $8::timestamptz) END
    WHERE id = $1`,
);

/** @param contactSalts one for each contact. Salts of other contacts are deleted. */
export const updateParticipant = async (
  sql: Sql,
  id: string,
  { edit, contactSalts, at }: { edit: ParticipantEdit; contactSalts: readonly string[]; at: Date },
): Promise<void> => {
  const { displayName, legalName, websiteUri, logoUri, contacts, isWithdrawn } = edit;
  const limits = edit.maxChargeAmounts.length === 0 ? null : JSON.stringify(edit.maxChargeAmounts);
  const texts = [id, displayName, legalName, websiteUri, logoUri] as const;
  await sql.query(update, [...texts, contacts, isWithdrawn, at, contactSalts, limits]);
};

const withdraw = statement<never>(
  "set_participant_withdrawal",
  "UPDATE participant SET withdrawn_at = $2::timestamptz WHERE id = $1",
);

/** @param withdrawnAt null lists the participant again. */
export const updateWithdrawal = async (sql: Sql, id: string, withdrawnAt: Date | null): Promise<void> => {
  await sql.query(withdraw, [id, withdrawnAt]);
};

const suspend = statement<never>(
  "set_participant_suspension",
  "UPDATE participant SET suspended_at = $2::timestamptz WHERE id = $1",
);

/** @param suspendedAt null lifts the suspension of the entry. */
export const updateEntrySuspension = async (sql: Sql, id: string, suspendedAt: Date | null): Promise<void> => {
  await sql.query(suspend, [id, suspendedAt]);
};

const rename = statement<{ id: string }>(
  "rename_participant_of_merchant",
  `UPDATE participant SET display_name = coalesce($2::text, display_name), legal_name = coalesce($3::text, legal_name)
    WHERE merchant_id = $1 RETURNING id`,
);

/** Copies changed names from a merchant's settings to its directory entry. A name that is null doesn't change. */
export const renameParticipantOfMerchant = async (
  sql: Sql,
  { merchantId, displayName, legalName }: { merchantId: string; displayName: string | null; legalName: string | null },
): Promise<void> => {
  await sql.query(rename, [merchantId, displayName, legalName]);
};

const addRole = statement<{ id: string }>(
  "add_participant_role",
  "UPDATE participant SET roles = roles || $2::text WHERE id = $1 AND NOT $2::text = ANY (roles) RETURNING id",
);

/** @returns whether the role is new. */
export const addParticipantRole = async (sql: Sql, id: string, role: "client"): Promise<boolean> =>
  (await sql.query(addRole, [id, role])).length === 1;

const findOfClient = statement<{ id: string | null }>(
  "find_participant_of_client",
  "SELECT participant_id AS id FROM client WHERE id = $1",
);

/** @returns null for a client of the status page's probes, and for an unknown client. */
export const findParticipantOfClient = async (sql: Sql, clientId: string): Promise<string | null> =>
  (await sql.query(findOfClient, [clientId]))[0]?.id ?? null;

const withdrawDeserted = statement<{ id: string }>(
  "withdraw_deserted_participant",
  `UPDATE participant p SET withdrawn_at = $2::timestamptz
    WHERE p.id = $1 AND p.merchant_id IS NULL AND p.withdrawn_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM client c WHERE c.participant_id = p.id AND c.deleted_at IS NULL)
   RETURNING p.id`,
);

/**
 * Withdraws a participant whose last client was deleted, because no client can act for it any more.
 * @returns whether it was withdrawn.
 */
export const withdrawDesertedParticipant = async (sql: Sql, id: string, at: Date): Promise<boolean> => {
  // The participant is locked before the check. So if its last two clients are deleted concurrently, the second
  // deletion sees the first one.
  await sql.query(lock, [id]);
  return (await sql.query(withdrawDeserted, [id, at])).length === 1;
};
