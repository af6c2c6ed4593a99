import { type Sql, statement } from "../../client.ts";

const lockTokens = statement<{ id: string }>(
  "lock_agent_tokens_of_participants",
  "SELECT id FROM initial_access_token WHERE participant_id = ANY ($1::text[]) AND revoked_at IS NULL ORDER BY id FOR NO KEY UPDATE",
);
const lockClients = statement<{ id: string }>(
  "lock_clients_of_participants",
  "SELECT id FROM client WHERE participant_id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE",
);
const lockEntries = statement<{ id: string }>(
  "lock_participants_to_move",
  "SELECT id FROM participant WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE",
);

/**
 * Locks entries whose merchant or clients will change. Registrations and changes of clients lock a token or a client
 * before its entry, so tokens and clients are locked first here too. The lock of an entry also waits for clients that
 * are being inserted.
 */
export const lockEntriesToMove = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql.query(lockTokens, [ids]);
  await sql.query(lockClients, [ids]);
  await sql.query(lockEntries, [ids]);
};

const release = statement<never>(
  "release_participant_from_merchant",
  `UPDATE participant SET merchant_id = NULL, withdrawn_at = coalesce(withdrawn_at, $2::timestamptz) WHERE id = $1`,
);

/** Withdraws an entry whose merchant gets another one. No one can list it again. */
export const releaseFromMerchant = async (sql: Sql, id: string, at: Date): Promise<void> => {
  await sql.query(release, [id, at]);
};

type NewOwner = {
  merchantId: string;
  displayName: string;
  legalName: string;
  websiteUri: string | null;
  roles: readonly string[];
};

const assign = statement<never>(
  "assign_participant_to_merchant",
  `UPDATE participant SET merchant_id = $2, display_name = $3, legal_name = $4, website_uri = $5::text, roles = $6::text[],
          logo_uri = NULL, contacts = '{}', contact_salts = '{}', max_charge_amounts = NULL WHERE id = $1`,
);

/** Gives an entry to another merchant. The previous owner's logo, limits and contacts are removed, with the
 * contacts' salts. */
export const assignToMerchant = async (sql: Sql, id: string, owner: NewOwner): Promise<void> => {
  const { merchantId, displayName, legalName, websiteUri, roles } = owner;
  await sql.query(assign, [id, merchantId, displayName, legalName, websiteUri, roles]);
};

const setRoles = statement<never>("set_participant_roles", "UPDATE participant SET roles = $2::text[] WHERE id = $1");

export const updateRoles = async (sql: Sql, id: string, roles: readonly string[]): Promise<void> => {
  await sql.query(setRoles, [id, roles]);
};

const moveAll = statement<never>(
  "move_clients_to_participant",
  "UPDATE client SET participant_id = $2 WHERE participant_id = $1",
);

/** Moves all clients of an entry to another entry. */
export const moveClients = async (sql: Sql, from: string, to: string): Promise<void> => {
  await sql.query(moveAll, [from, to]);
};

type Move = { from: string; to: string; at: Date };

const moveTokens = statement<{ wasUsable: boolean }>(
  "move_agent_tokens",
  `UPDATE initial_access_token t SET participant_id = $2, revoked_at = coalesce(t.revoked_at, $3::timestamptz)
     FROM initial_access_token b WHERE t.participant_id = $1 AND b.id = t.id
   RETURNING b.revoked_at IS NULL AND b.uses_left > 0 AND b.expires_at > $3::timestamptz AS "wasUsable"`,
);
const moveStatements = statement<{ wasUsable: boolean }>(
  "move_software_statements",
  `UPDATE software_statement t SET participant_id = $2, revoked_at = coalesce(t.revoked_at, $3::timestamptz)
     FROM software_statement b WHERE t.participant_id = $1 AND b.id = t.id
   RETURNING b.revoked_at IS NULL AND b.expires_at > $3::timestamptz AS "wasUsable"`,
);

/**
 * Revokes the tokens for agents and the software statements of an entry. Moves them to the other entry of the merchant
 * that issued them, so that this merchant can still see them. @returns how many were valid.
 */
export const moveIssuedRevoked = async (
  sql: Sql,
  { from, to, at }: Move,
): Promise<{ tokens: number; statements: number }> => {
  const countOf = (rows: readonly { wasUsable: boolean }[]) => rows.filter(({ wasUsable }) => wasUsable).length;
  const tokens = countOf(await sql.query(moveTokens, [from, to, at]));
  return { tokens, statements: countOf(await sql.query(moveStatements, [from, to, at])) };
};

const claims = statement<{ domain: string }>(
  "delete_participant_domains",
  "DELETE FROM participant_domain WHERE participant_id = $1 RETURNING domain",
);

/** @returns the domains that were claimed. */
export const deleteParticipantDomains = async (sql: Sql, participantId: string): Promise<string[]> =>
  (await sql.query(claims, [participantId])).map(({ domain }) => domain);
