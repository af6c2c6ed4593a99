import type { Page, Place } from "../../kernel/pagination.ts";
import { type Sql, statement, type Tx } from "../client.ts";
import { equalFilter, findList } from "../find-list.ts";
import { participantStatus } from "./participants.ts";

type ClientKind = "agent" | "merchant";

type NewInitialAccessToken = {
  id: string;
  secretHash: string;
  kind: ClientKind;
  merchantId: string | null;
  participantId: string | null;
  scopes: string[];
  usesLeft: number;
  label: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
};

export const insertInitialAccessToken = async (tx: Tx, token: NewInitialAccessToken): Promise<void> => {
  await tx.initialAccessToken.create({ data: token });
};

export type InitialAccessToken = {
  id: string;
  kind: ClientKind;
  merchantId: string | null;
  /**
   * the directory participant that created it and will own the clients that register with it; null: created by a
   * merchant or an operator
   */
  participantId: string | null;
  /** whether that participant is active; true if there is no participant */
  isMakerActive: boolean;
  scopes: string[];
  usesLeft: number;
  expiresAt: Date;
  revokedAt: Date | null;
};

const isMakerActive = `(t.participant_id IS NULL OR EXISTS (SELECT 1 FROM participant p LEFT JOIN merchant m ON m.id = p.merchant_id
    WHERE p.id = t.participant_id AND ${participantStatus} = 'active'))`;

const columns = `t.id, t.kind::text AS kind, t.merchant_id AS "merchantId", t.participant_id AS "participantId",
          ${isMakerActive} AS "isMakerActive", coalesce(t.scopes, '{}') AS scopes,
          t.uses_left AS "usesLeft", t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt"`;

const find = statement<InitialAccessToken>(
  "find_initial_access_token",
  `SELECT ${columns} FROM initial_access_token t WHERE t.secret_hash = $1`,
);

/** Also returns used-up, expired and revoked tokens. */
export const findInitialAccessToken = async (sql: Sql, secretHash: string): Promise<InitialAccessToken | null> =>
  (await sql.query(find, [secretHash]))[0] ?? null;

const findById = statement<InitialAccessToken>(
  "find_initial_access_token_by_id",
  `SELECT ${columns} FROM initial_access_token t WHERE t.id = $1`,
);

export const findInitialAccessTokenById = async (sql: Sql, id: string): Promise<InitialAccessToken | null> =>
  (await sql.query(findById, [id]))[0] ?? null;

const use = statement<{ id: string }>(
  "use_initial_access_token",
  `UPDATE initial_access_token t SET uses_left = uses_left - 1, last_used_at = $2::timestamptz
    WHERE t.id = $1 AND t.uses_left > 0 AND t.expires_at > $2::timestamptz AND t.revoked_at IS NULL AND ${isMakerActive}
   RETURNING t.id`,
);

/**
 * Consumes one use, in the transaction of the registration. Two callers never get the same use.
 * @returns false if the token is used up, expired or revoked, or if its participant isn't active.
 */
export const takeInitialAccessTokenUse = async (sql: Sql, id: string, now: Date): Promise<boolean> =>
  (await sql.query(use, [id, now])).length === 1;

/**
 * A token as displayed, without its value. `maker`: the name of the account or participant that created it; null if
 * neither exists.
 */
export type ListedInitialAccessToken = InitialAccessToken & {
  label: string | null;
  maker: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const listed = `SELECT ${columns}, t.label, coalesce(a.display_name, w.display_name) AS maker, t.created_at AS "createdAt",
          t.last_used_at AS "lastUsedAt"
     FROM initial_access_token t LEFT JOIN account a ON a.id = t.created_by LEFT JOIN participant w ON w.id = t.participant_id`;

const list = statement<ListedInitialAccessToken>(
  "list_initial_access_tokens",
  `${listed}
    WHERE t.merchant_id IS NOT DISTINCT FROM $1::text
      AND ($4::text IS NULL OR t.id = $4 OR strpos(lower(t.label), lower($4)) > 0)
      AND ($2::text IS NULL OR (t.created_at, t.id) < (SELECT s.created_at, s.id FROM initial_access_token s
           WHERE s.id = $2 AND s.merchant_id IS NOT DISTINCT FROM $1::text))
    ORDER BY t.created_at DESC, t.id DESC LIMIT $3::int`,
);

type Cursor = { startingAfter: string | null; limit: number };

/**
 * Newest first. Returns `limit` + 1 if there are more. @param ownerId a merchant's id; null: tokens for agents
 * @param search an id, or a part of a name; null: all tokens
 */
export const findInitialAccessTokens = (
  sql: Sql,
  { ownerId, search, startingAfter, limit }: Cursor & { ownerId: string | null; search: string | null },
): Promise<ListedInitialAccessToken[]> => sql.query(list, [ownerId, startingAfter, limit + 1, search]);

/** The tokens that a participant created for its agents, newest first (findList). */
export const findInitialAccessTokensOfParticipant = (
  sql: Sql,
  { participantId, page }: { participantId: string; page: Page },
): Promise<ListedInitialAccessToken[]> => {
  const filters = equalFilter("participant", "t.participant_id", participantId);
  return findList(sql, { name: "agent_tokens", select: listed, order: ["t.created_at", "t.id"], filters, page });
};

const placeOfParticipant = statement<Place>(
  "find_agent_token_place",
  "SELECT created_at AS at, id FROM initial_access_token WHERE id = $1 AND participant_id = $2",
);

/** The position of a token in that list; null for another participant's token and for an unknown one. */
export const findAgentTokenPlace = async (
  sql: Sql,
  { participantId, id }: { participantId: string; id: string },
): Promise<Place | null> => (await sql.query(placeOfParticipant, [id, participantId]))[0] ?? null;

const countUsable = statement<{ count: number }>(
  "count_usable_initial_access_tokens",
  `SELECT count(*)::int AS count FROM initial_access_token
    WHERE participant_id = $1 AND uses_left > 0 AND expires_at > $2::timestamptz AND revoked_at IS NULL`,
);

export const countUsableInitialAccessTokens = async (sql: Sql, participantId: string, now: Date): Promise<number> =>
  (await sql.query(countUsable, [participantId, now]))[0]?.count ?? 0;

const revoke = statement<{ id: string }>(
  "revoke_initial_access_token",
  "UPDATE initial_access_token SET revoked_at = $2::timestamptz WHERE id = $1 AND revoked_at IS NULL RETURNING id",
);

/** Revokes a token: it registers no more clients. At most one caller gets true. */
export const markInitialAccessTokenRevoked = async (sql: Sql, id: string, at: Date): Promise<boolean> =>
  (await sql.query(revoke, [id, at])).length === 1;
