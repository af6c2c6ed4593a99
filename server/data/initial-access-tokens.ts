import { type Sql, statement, type Tx } from "./client.ts";

type NewInitialAccessToken = {
  id: string;
  secretHash: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  scopes: string[];
  usesLeft: number;
  createdAt: Date;
  expiresAt: Date;
};

export const insertInitialAccessToken = async (tx: Tx, token: NewInitialAccessToken): Promise<void> => {
  await tx.initialAccessToken.create({ data: token });
};

export type InitialAccessToken = {
  id: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  scopes: string[];
  usesLeft: number;
  expiresAt: Date;
};

const find = statement<InitialAccessToken>(
  "find_initial_access_token",
  `SELECT id, kind::text AS kind, merchant_id AS "merchantId", coalesce(scopes, '{}') AS scopes, uses_left AS "usesLeft",
          expires_at AS "expiresAt"
     FROM initial_access_token WHERE secret_hash = $1`,
);

/** Spent and expired ones too. */
export const findInitialAccessToken = async (sql: Sql, secretHash: string): Promise<InitialAccessToken | null> =>
  (await sql.query(find, [secretHash]))[0] ?? null;

const use = statement<{ id: string }>(
  "use_initial_access_token",
  `UPDATE initial_access_token SET uses_left = uses_left - 1
    WHERE id = $1 AND uses_left > 0 AND expires_at > $2::timestamptz RETURNING id`,
);

/** Takes one use, in the transaction that registers; as many callers get true as uses were left. */
export const takeInitialAccessTokenUse = async (sql: Sql, id: string, now: Date): Promise<boolean> =>
  (await sql.query(use, [id, now])).length === 1;
