import type { AuditEntry } from "../audit/audit.ts";
import { type Sql, statement } from "../client.ts";
import { type AuditedEvents, auditedEventsValues, auditedEventsWith, insertingEvents } from "../webhooks/events.ts";
import { type MailRecipient, recipientColumns, wantsMail } from "./recipients.ts";

/** The payer who gets an e-mail about a failed charge, and the names that the payer knows. */
export type FailureMail = MailRecipient & { clientName: string; merchantName: string };

// One statement writes the events and finds the payer, so that a charge without an e-mail costs no extra query.
const insertFailure = statement<FailureMail>(
  "insert_audited_events_of_failure",
  `${auditedEventsWith}, written AS (${insertingEvents})
   UPDATE mandate m SET failure_mail_at = $15::timestamptz FROM account a, client c, merchant h
   WHERE m.id = $13 AND a.id = m.payer_id AND c.id = m.client_id AND h.id = $14 AND NOT c.is_probe
     AND (m.failure_mail_at IS NULL OR m.failure_mail_at <= $16::timestamptz OR m.failure_mail_at > $15::timestamptz + interval '1 minute')
     AND ${wantsMail("'charge_failed'")}
   RETURNING ${recipientColumns}, c.name AS "clientName", h.display_name AS "merchantName"`,
);

type Failure = {
  mandateId: string;
  merchantId: string;
  /** real time, as for the sending of e-mails */
  now: Date;
  /**
   * if the mandate's last e-mail was queued after this time, no other is queued; an e-mail with a future time doesn't
   * count
   */
  since: Date;
};

/**
 * Does the same as `appendAuditedEvents`, for a charge that failed. The caller's transaction holds the mandate's lock,
 * so the payer is returned for at most one charge after `since`.
 * @returns null if no e-mail is needed.
 */
export const appendFailureEvents = async (
  sql: Sql,
  { events, entry, failure }: { events: AuditedEvents; entry: AuditEntry; failure: Failure },
): Promise<FailureMail | null> => {
  const { mandateId, merchantId, now, since } = failure;
  const values = [...auditedEventsValues(events, entry), mandateId, merchantId, now, since];
  return (await sql.query(insertFailure, values))[0] ?? null;
};
