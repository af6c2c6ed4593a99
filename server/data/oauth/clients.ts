import type { JSONWebKeySet } from "jose";
import { type Sql, statement, type Tx } from "../client.ts";

export type ClientRow = {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  name: string;
  redirectUris: string[];
  grantTypes: string[];
  scopes: string[];
  /** registered, or last loaded from `jwksUri` */
  jwks: JSONWebKeySet;
  jwksUri: string | null;
  /** of keys from `jwksUri`; null if none have been loaded */
  keysGeneration: number | null;
  keysLoadedAt: Date | null;
  keysExpireAt: Date | null;
  assertionAlg: string | null;
  /** registered authorization_details types (RFC 9396 §10); null: none registered, so all are allowed */
  detailsTypes: string[] | null;
  /** registered algorithm of introspection responses (RFC 9701 §6); null: JSON, unless a request accepts a JWT */
  introspectionAlg: string | null;
  dpopBound: boolean;
  epoch: number;
  version: number;
  /** sandbox: one of its keys is also used in production */
  hasForeignKey: boolean;
  /** hashes of the thumbprints of its keys that are on the blocklist */
  blockedKeyHashes: string[];
};

const selectClient = statement<ClientRow>(
  "find_registered_client",
  `SELECT c.id, c.kind::text AS kind, c.merchant_id AS "merchantId", c.name, c.redirect_uris AS "redirectUris",
          c.grant_types AS "grantTypes", c.scopes, coalesce(c.jwks, s.jwks, '{"keys":[]}') AS jwks, c.jwks_uri AS "jwksUri",
          s.generation AS "keysGeneration", s.loaded_at AS "keysLoadedAt", s.expires_at AS "keysExpireAt", c.assertion_alg AS "assertionAlg",
          c.dpop_bound AS "dpopBound", c.metadata->>'introspection_signed_response_alg' AS "introspectionAlg",
          c.metadata->'authorization_details_types' AS "detailsTypes",
          c.epoch, c.version,
          EXISTS (SELECT 1 FROM foreign_client_key f WHERE f.thumbprint_hash = ANY (c.key_thumbprint_hashes)) AS "hasForeignKey",
          ARRAY (SELECT b.thumbprint_hash FROM blocked_client_key b
                  WHERE b.thumbprint_hash = ANY (c.key_thumbprint_hashes)) AS "blockedKeyHashes"
     FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id
    WHERE c.id = $1 AND c.deleted_at IS NULL`,
);

/** Reads a client with one statement. @returns null for an unknown or deleted client. */
export const findClient = async (sql: Sql, clientId: string): Promise<ClientRow | null> => {
  const [row] = await sql.query(selectClient, [clientId]);
  return row ?? null;
};

/** Columns derived from the metadata: everything that a client may replace (RFC 7592 §2.2). */
export type ClientColumns = {
  name: string;
  metadata: object;
  redirectUris: string[];
  grantTypes: string[];
  scopes: string[];
  jwks: { keys: Record<string, string>[] } | null;
  jwksUri: string | null;
  keyThumbprintHashes: string[];
  assertionAlg: string | null;
  dpopBound: boolean;
};

export type NewClient = ClientColumns & {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  /** directory participant; null for clients of the status page's probes */
  participantId: string | null;
  registrationTokenHash: string;
  initialAccessTokenId: string | null;
  /** null: all scopes for clients of its kind */
  allowedScopes: readonly string[] | null;
  /** used by the status page's probes */
  isProbe?: boolean;
  createdAt: Date;
};

export const insertClient = async (tx: Tx, { jwks, allowedScopes, ...client }: NewClient): Promise<void> => {
  await tx.client.create({
    data: {
      ...client,
      // Absent fields become NULL.
      ...(jwks === null ? {} : { jwks }),
      ...(allowedScopes === null ? {} : { allowedScopes: [...allowedScopes] }),
    },
  });
};

export type MerchantClientRow = {
  id: string;
  name: string;
  scopes: string[];
  /** registered, or last loaded from `jwksUri` */
  jwks: JSONWebKeySet;
  jwksUri: string | null;
  createdAt: Date;
};

const listOfMerchant = statement<MerchantClientRow>(
  "list_clients_of_merchant",
  `SELECT c.id, c.name, c.scopes, coalesce(c.jwks, s.jwks, '{"keys":[]}') AS jwks, c.jwks_uri AS "jwksUri",
          c.created_at AS "createdAt"
     FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id
    WHERE c.merchant_id = $1 AND c.deleted_at IS NULL
      AND ($4::text IS NULL OR c.id = $4 OR strpos(lower(c.name), lower($4)) > 0)
      AND ($2::text IS NULL OR (c.created_at, c.id) < (SELECT l.created_at, l.id FROM client l
           WHERE l.id = $2 AND l.merchant_id = $1))
    ORDER BY c.created_at DESC, c.id DESC LIMIT $3::int`,
);

/**
 * Newest first. One more than `limit` if there are more. @param search an id, or a part of a name; null: all clients
 */
export const findClientsOfMerchant = (
  sql: Sql,
  { merchantId, search, startingAfter, limit }: MerchantClientPage,
): Promise<MerchantClientRow[]> => sql.query(listOfMerchant, [merchantId, startingAfter, limit + 1, search]);

type MerchantClientPage = { merchantId: string; search: string | null; startingAfter: string | null; limit: number };

type HeldClient = Pick<ClientRow, "grantTypes" | "redirectUris" | "scopes" | "detailsTypes">;

const holdRow = statement<HeldClient>(
  "hold_client",
  `SELECT grant_types AS "grantTypes", redirect_uris AS "redirectUris", scopes,
          metadata->'authorization_details_types' AS "detailsTypes"
     FROM client WHERE id = $1 AND deleted_at IS NULL FOR SHARE`,
);

/** Locks a client against changes and deletion until the transaction ends. @returns null if it was deleted. */
export const holdClient = async (sql: Sql, clientId: string): Promise<HeldClient | null> =>
  (await sql.query(holdRow, [clientId]))[0] ?? null;

/** SHA-256 of each active client key's thumbprint. Production publishes these hashes to its sandbox. */
export const listClientKeyHashes = async (sql: Sql): Promise<string[]> => {
  const rows = await sql.query(
    statement<{ hash: string }>(
      "list_client_key_hashes",
      "SELECT DISTINCT unnest(key_thumbprint_hashes) AS hash FROM client WHERE deleted_at IS NULL ORDER BY 1",
    ),
    [],
  );
  return rows.map(({ hash }) => hash);
};
