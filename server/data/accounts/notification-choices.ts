import { type Sql, statement } from "../client.ts";

const findOff = statement<{ kind: string }>(
  "find_notifications_off",
  "SELECT kind FROM notification_choice WHERE account_id = $1",
);

/** The kinds of e-mail that the account switched off. */
export const findNotificationsOff = async (sql: Sql, accountId: string): Promise<string[]> =>
  (await sql.query(findOff, [accountId])).map(({ kind }) => kind);

const findChoice = statement<{ isOn: boolean; locale: string }>(
  "find_notification_choice",
  `SELECT a.locale, NOT EXISTS (SELECT FROM notification_choice o WHERE o.account_id = a.id AND o.kind = $2) AS "isOn"
   FROM account a WHERE a.id = $1 AND a.deleted_at IS NULL`,
);

/** @returns null if the account doesn't exist or was deleted. */
export const findNotificationChoice = async (
  sql: Sql,
  { accountId, kind }: { accountId: string; kind: string },
): Promise<{ isOn: boolean; locale: string } | null> => (await sql.query(findChoice, [accountId, kind]))[0] ?? null;

const switchOff = statement<{ kind: string }>(
  "switch_notification_off",
  "INSERT INTO notification_choice (account_id, kind) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING kind",
);
const switchOn = statement<{ kind: string }>(
  "switch_notification_on",
  "DELETE FROM notification_choice WHERE account_id = $1 AND kind = $2 RETURNING kind",
);

type Choice = { accountId: string; kind: string; isOn: boolean };

/** @returns false if the choice was the same before. */
export const setNotification = async (sql: Sql, { accountId, kind, isOn }: Choice): Promise<boolean> =>
  (await sql.query(isOn ? switchOn : switchOff, [accountId, kind])).length > 0;
