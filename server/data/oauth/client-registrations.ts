import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";
import type { ClientColumns } from "./clients.ts";

/** A client's registration (RFC 7592). */
export type RegistrationRow = {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  metadata: JsonObject;
  grantTypes: string[];
  scopes: string[];
  keyThumbprintHashes: string[];
  dpopBound: boolean;
  /** null: all scopes for clients of its kind */
  allowedScopes: string[] | null;
  registrationTokenHash: string;
  /** the previous token: accepted until its successor is used for the first time */
  formerTokenHash: string | null;
  createdAt: Date;
  /** incremented by each change of the registration */
  version: number;
};

const columns = `id, kind::text AS kind, merchant_id AS "merchantId", metadata, grant_types AS "grantTypes", scopes,
          coalesce(key_thumbprint_hashes, '{}') AS "keyThumbprintHashes", dpop_bound AS "dpopBound",
          allowed_scopes AS "allowedScopes", registration_token_hash AS "registrationTokenHash",
          former_token_hash AS "formerTokenHash", created_at AS "createdAt", version`;

const select = statement<RegistrationRow>(
  "find_registration",
  `SELECT ${columns} FROM client WHERE id = $1 AND deleted_at IS NULL`,
);

export const findRegistration = async (sql: Sql, clientId: string): Promise<RegistrationRow | null> =>
  (await sql.query(select, [clientId]))[0] ?? null;

const lock = statement<RegistrationRow>(
  "lock_registration",
  `SELECT ${columns} FROM client WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

/**
 * Takes the first lock of a change or deletion of a client, before its grants and mandates. `holdClient` waits for
 * this lock, so no grant is added while the lock is held. The lock isn't stronger, because a write to a mandate of the
 * client checks the mandate's foreign key, and that check must not wait.
 */
export const lockRegistration = async (sql: Sql, clientId: string): Promise<RegistrationRow | null> =>
  (await sql.query(lock, [clientId]))[0] ?? null;

const update = statement<never>(
  "replace_registration",
  `UPDATE client
      SET name = $2, metadata = $3::jsonb, redirect_uris = $4::text[], grant_types = $5::text[], scopes = $6::text[],
          jwks = $7::jsonb, jwks_uri = $8, key_thumbprint_hashes = $9::text[], assertion_alg = $10,
          dpop_bound = $11::boolean, registration_token_hash = $12, former_token_hash = $13, version = version + 1,
          epoch = epoch + $14::int
    WHERE id = $1`,
);

/**
 * Replaces the metadata and the registration access token.
 * @param endsTokens whether the client's access tokens end.
 */
export const replaceRegistration = async (
  sql: Sql,
  clientId: string,
  next: ClientColumns & { registrationTokenHash: string; formerTokenHash: string | null; endsTokens: boolean },
): Promise<void> => {
  await sql.query(update, [
    clientId,
    next.name,
    JSON.stringify(next.metadata),
    next.redirectUris,
    next.grantTypes,
    next.scopes,
    next.jwks === null ? null : JSON.stringify(next.jwks),
    next.jwksUri,
    next.keyThumbprintHashes,
    next.assertionAlg,
    next.dpopBound,
    next.registrationTokenHash,
    next.formerTokenHash,
    next.endsTokens ? 1 : 0,
  ]);
};

const dropFormer = statement<{ id: string }>(
  "drop_former_registration_token",
  `UPDATE client SET former_token_hash = NULL
    WHERE id = $1 AND registration_token_hash = $2 AND former_token_hash IS NOT NULL RETURNING id`,
);

/** Ends the previous token, because its successor was used. At most one caller gets true. */
export const dropFormerToken = async (sql: Sql, clientId: string, presentHash: string): Promise<boolean> =>
  (await sql.query(dropFormer, [clientId, presentHash])).length === 1;

const markDeleted = statement<{ merchantId: string | null }>(
  "delete_client",
  `UPDATE client SET deleted_at = $2::timestamptz, epoch = epoch + 1, version = version + 1 WHERE id = $1
   RETURNING merchant_id AS "merchantId"`,
);

/**
 * Marks a client as deleted. The row is kept, because its epoch is still needed.
 * @returns the client's merchant; null if it has none.
 */
export const markClientDeleted = async (sql: Sql, clientId: string, at: Date): Promise<string | null> =>
  (await sql.query(markDeleted, [clientId, at]))[0]?.merchantId ?? null;

const listGrants = statement<{ id: string }>(
  "list_grants_of_client",
  `SELECT id FROM "grant" WHERE client_id = $1 AND ended_at IS NULL ORDER BY id`,
);

/** The client's live grants, in the order in which they must be locked. */
export const listLiveGrantIds = async (sql: Sql, clientId: string): Promise<string[]> =>
  (await sql.query(listGrants, [clientId])).map(({ id }) => id);
