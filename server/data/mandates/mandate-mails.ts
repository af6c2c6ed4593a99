import { newId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";
import { type MailRecipient, recipientColumns, wantsMail } from "../mail/recipients.ts";

/** Mandates of one payer with one client, which changed together. */
export type ChangedMandates = MailRecipient & {
  clientName: string;
  count: number;
  /** id of the mandate; null if there are several */
  mandateId: string | null;
  purpose: string | null;
};

const findChanged = statement<ChangedMandates>(
  "find_recipients_of_mandate_changes",
  `SELECT ${recipientColumns}, c.name AS "clientName", count(*)::int AS count,
     CASE WHEN count(*) = 1 THEN min(m.id) END AS "mandateId", CASE WHEN count(*) = 1 THEN min(m.purpose) END AS purpose
   FROM mandate m JOIN account a ON a.id = m.payer_id JOIN client c ON c.id = m.client_id
   WHERE m.id = ANY ($1::text[]) AND NOT c.is_probe AND ${wantsMail("'mandate_changed'")}
   GROUP BY a.id, c.id ORDER BY a.id, c.id`,
);

/** The payers of these mandates who get e-mails about changes, each with the mandates of one client. */
export const findRecipientsOfChange = (sql: Sql, mandateIds: readonly string[]): Promise<ChangedMandates[]> =>
  sql.query(findChanged, [mandateIds]);

/** `fresh`: the limits, by constraint, that no e-mail has reported in this period and with this cap. */
export type NearLimits = MailRecipient & { clientName: string; currency: string; fresh: string[] };

// A single statement, so that a charge near a limit needs no extra statement if the payer switched these e-mails off.
const insertApproaching = statement<NearLimits>(
  "insert_limit_approaching",
  `WITH written AS (
     INSERT INTO event (id, type, object_id, sequence, data, created_at)
     SELECT $1, 'mandate.limit_approaching', $2, coalesce(max(sequence), 0) + 1, $3::jsonb, $4::timestamptz FROM event WHERE object_id = $2
   ), recipient AS (
     SELECT ${recipientColumns}, c.name AS "clientName", m.id AS mandate_id, m.currency::text AS currency, ARRAY(
       SELECT n.key FROM jsonb_each_text($5::jsonb) n WHERE m.limit_mails ->> n.key IS DISTINCT FROM n.value) AS fresh
     FROM mandate m JOIN account a ON a.id = m.payer_id JOIN client c ON c.id = m.client_id
     WHERE m.id = $2 AND NOT c.is_probe AND ${wantsMail("'limit_near'")}
   ), marked AS (
     UPDATE mandate m SET limit_mails = coalesce(m.limit_mails, '{}') || $5::jsonb FROM recipient r
     WHERE m.id = r.mandate_id AND r.fresh <> '{}'
   )
   SELECT "accountId", email, locale, "timeZone", "clientName", currency, fresh FROM recipient WHERE fresh <> '{}'`,
);

/**
 * Writes the event `mandate.limit_approaching`, and marks the limits that an e-mail will report. The caller's
 * transaction holds the mandate's lock, so each limit is reported once.
 * @param input.marks for each limit, by constraint: its cap and the end of its period.
 * @returns null if no e-mail is needed.
 */
export const appendLimitApproaching = async (
  sql: Sql,
  input: { mandateId: string; data: JsonObject; at: Date; marks: Readonly<Record<string, string>> },
): Promise<NearLimits | null> => {
  const { mandateId, data, at, marks } = input;
  const values = [newId("evt"), mandateId, JSON.stringify(data), at, JSON.stringify(marks)];
  return (await sql.query(insertApproaching, values))[0] ?? null;
};
