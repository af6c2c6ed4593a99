import type { JSONWebKeySet } from "jose";
import { type Sql, statement, type Tx } from "./client.ts";

export type ClientRow = {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  name: string;
  redirectUris: string[];
  grantTypes: string[];
  scopes: string[];
  jwks: JSONWebKeySet;
  assertionAlg: string | null;
  /** the algorithm of introspection answers that it registered (RFC 9701 §6); null: they are JSON unless it asks */
  introspectionAlg: string | null;
  dpopBound: boolean;
  epoch: number;
  version: number;
  /** one of its keys is on production's list (sandbox) */
  hasForeignKey: boolean;
};

const selectClient = statement<ClientRow>(
  "find_registered_client",
  `SELECT c.id, c.kind::text AS kind, c.merchant_id AS "merchantId", c.name, c.redirect_uris AS "redirectUris",
          c.grant_types AS "grantTypes", c.scopes, c.jwks, c.assertion_alg AS "assertionAlg", c.dpop_bound AS "dpopBound",
          c.metadata->>'introspection_signed_response_alg' AS "introspectionAlg",
          c.epoch, c.version,
          EXISTS (SELECT 1 FROM foreign_client_key f WHERE f.thumbprint_hash = ANY (c.key_thumbprint_hashes)) AS "hasForeignKey"
     FROM client c WHERE c.id = $1 AND c.deleted_at IS NULL`,
);

/** One statement; null for an unknown or deleted client. */
export const findClient = async (sql: Sql, clientId: string): Promise<ClientRow | null> => {
  const [row] = await sql.query(selectClient, [clientId]);
  return row ?? null;
};

export type NewClient = {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  name: string;
  metadata: object;
  redirectUris: string[];
  grantTypes: string[];
  scopes: string[];
  jwks: { keys: Record<string, string>[] };
  keyThumbprintHashes: string[];
  assertionAlg: string | null;
  dpopBound: boolean;
  registrationTokenHash: string;
  initialAccessTokenId: string | null;
  createdAt: Date;
};

export const insertClient = async (tx: Tx, client: NewClient): Promise<void> => {
  await tx.client.create({ data: client });
};

/** SHA-256 of each live client key's thumbprint: what production tells its sandbox. */
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
