import type { JSONWebKeySet } from "jose";
import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

export type OwnClientRow = {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string;
  name: string;
  scopes: string[];
  metadata: JsonObject;
  /** registered, or last loaded from `jwksUri` */
  jwks: JSONWebKeySet;
  jwksUri: string | null;
  keysLoadedAt: Date | null;
  /** null: registered by a member */
  initialAccessTokenId: string | null;
  createdAt: Date;
  deletedAt: Date | null;
};

const select = statement<OwnClientRow>(
  "find_client_of_merchant",
  `SELECT c.id, c.kind::text AS kind, c.merchant_id AS "merchantId", c.name, c.scopes, c.metadata,
          coalesce(c.jwks, s.jwks, '{"keys":[]}') AS jwks, c.jwks_uri AS "jwksUri", s.loaded_at AS "keysLoadedAt",
          c.initial_access_token_id AS "initialAccessTokenId", c.created_at AS "createdAt", c.deleted_at AS "deletedAt"
     FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id
    WHERE c.id = $1 AND c.merchant_id IS NOT NULL`,
);

/** A client of any merchant, even if it was deleted; null for an agent and for an unknown client. */
export const findOwnClient = async (sql: Sql, clientId: string): Promise<OwnClientRow | null> =>
  (await sql.query(select, [clientId]))[0] ?? null;

const uses = statement<{ kid: string; at: Date }>(
  "list_client_key_uses",
  "SELECT kid, last_used_at AS at FROM client_key_use WHERE client_id = $1",
);

/** When each key was last used, by the `kid` in the header of the assertion; "" for assertions without one. */
export const findKeyUses = async (sql: Sql, clientId: string): Promise<ReadonlyMap<string, Date>> =>
  new Map((await sql.query(uses, [clientId])).map(({ kid, at }) => [kid, at]));

const record = statement<never>(
  "record_client_key_uses",
  `INSERT INTO client_key_use AS u (client_id, kid, last_used_at)
   SELECT client_id, kid, max(at) FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS s (client_id, kid, at)
    GROUP BY client_id, kid ORDER BY client_id, kid
   ON CONFLICT (client_id, kid) DO UPDATE SET last_used_at = excluded.last_used_at
    WHERE u.last_used_at < excluded.last_used_at`,
);

export type KeyUse = { clientId: string; kid: string; at: Date };

export const recordKeyUses = async (sql: Sql, keyUses: readonly KeyUse[]): Promise<void> => {
  await sql.query(record, [
    keyUses.map(({ clientId }) => clientId),
    keyUses.map(({ kid }) => kid),
    keyUses.map(({ at }) => at.toISOString()),
  ]);
};

const lockToken = statement<{ held: string }>(
  "lock_registration_token_hash",
  "SELECT pg_advisory_xact_lock(hashtextextended($1, 32))::text AS held",
);
const byToken = statement<{ id: string }>(
  "find_client_by_registration_token",
  `SELECT id FROM client WHERE merchant_id = $1 AND deleted_at IS NULL
      AND (registration_token_hash = $2 OR former_token_hash = $2)`,
);

/** The merchant's client with this registration access token. */
export const findClientByToken = async (sql: Sql, merchantId: string, tokenHash: string): Promise<string | null> =>
  (await sql.query(byToken, [merchantId, tokenHash]))[0]?.id ?? null;

/** Lets one transaction at a time register a client with this token. */
export const lockRegistrationToken = async (sql: Sql, tokenHash: string): Promise<void> => {
  await sql.query(lockToken, [tokenHash]);
};
