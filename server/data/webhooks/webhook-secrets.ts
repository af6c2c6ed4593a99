import { type Sql, statement } from "../client.ts";

export type WebhookSecretRow = {
  id: string;
  endpointId: string;
  sealed: string;
  publicKey: string;
  createdAt: Date;
  /** null: the current one */
  expiresAt: Date | null;
};

const insert = statement<never>(
  "insert_webhook_secret",
  `INSERT INTO webhook_secret (id, endpoint_id, sealed, public_key, created_at) VALUES ($1, $2, $3, $4, $5::timestamptz)`,
);

export const insertWebhookSecret = async (sql: Sql, secret: Omit<WebhookSecretRow, "expiresAt">): Promise<void> => {
  await sql.query(insert, [secret.id, secret.endpointId, secret.sealed, secret.publicKey, secret.createdAt]);
};

const select = statement<WebhookSecretRow>(
  "list_webhook_secrets",
  `SELECT id, endpoint_id AS "endpointId", sealed, public_key AS "publicKey", created_at AS "createdAt",
          expires_at AS "expiresAt"
     FROM webhook_secret WHERE endpoint_id = ANY ($1::text[]) AND (expires_at IS NULL OR expires_at > $2::timestamptz)
    ORDER BY expires_at DESC NULLS FIRST, id`,
);

/** The secrets that sign now, the current one first. */
export const listWebhookSecrets = (sql: Sql, endpointIds: readonly string[], now: Date): Promise<WebhookSecretRow[]> =>
  sql.query(select, [endpointIds, now]);

const endPresent = statement<never>(
  "end_webhook_secret",
  "UPDATE webhook_secret SET expires_at = $2::timestamptz WHERE endpoint_id = $1 AND expires_at IS NULL",
);
const deleteEnded = statement<never>(
  "delete_ended_webhook_secrets",
  `DELETE FROM webhook_secret WHERE endpoint_id = $1 AND expires_at IS NOT NULL AND (expires_at <= $2::timestamptz
     OR id NOT IN (SELECT id FROM webhook_secret WHERE endpoint_id = $1 AND expires_at IS NOT NULL
                    ORDER BY expires_at DESC, id LIMIT 2))`,
);

/**
 * The current secret continues to sign until `until`, together with the secret that is inserted next. Deletes expired
 * secrets, and the oldest one if there are four, because each secret adds two signatures to every delivery.
 */
export const endWebhookSecret = async (sql: Sql, endpointId: string, at: { now: Date; until: Date }): Promise<void> => {
  await sql.query(deleteEnded, [endpointId, at.now]);
  await sql.query(endPresent, [endpointId, at.until]);
};
