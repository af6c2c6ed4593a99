import { newId } from "../../kernel/ids.ts";
import { sendDueMail } from "../../platform/mail/send-due-mail.ts";
import { sendMailNow } from "../../platform/mail/send-mail-now.ts";
import type { MailSender } from "../../platform/mail/smtp.ts";
import type { Board } from "../rules/board.ts";
import { isBoardFresh } from "../rules/incidents/draft-confirmation.ts";
import type { AlertRecord, JournalRecord } from "../rules/journal/journal-record.ts";
import type { StatusDeps } from "../runtime.ts";
import { alertMail, alertMailKey, mailedAlertKeys, recipientDigest } from "./alert-mail.ts";

type AlertDeps = Pick<StatusDeps, "board" | "journal" | "clock" | "config" | "db" | "log">;

const isAlert = (record: JournalRecord): record is AlertRecord =>
  record.kind === "alert_started" || record.kind === "alert_ended";

const alertOf = ({ alerts }: Board, record: AlertRecord) => {
  if (record.kind === "alert_started") return record;
  const ended = alerts.find(({ id }) => id === record.alertId);
  return ended && { ...ended, burnRate: null, at: record.at };
};

/** This process sends alert mail that no worker has sent for a minute: the alert may be about the workers. */
const overdue = { kind: "status_alert", seconds: 60 } as const;
const overdueLimit = 20;

/**
 * Sends alert mail to operators directly while the database is unavailable, because the alert may be about the
 * database. When the database is available, the replay of the journal queues the mail, except for recipients that this
 * process has already mailed according to the journal. This process then sends only queued alert mail that no worker
 * sends.
 * @returns a function that runs one round. It returns the number of alerts that were mailed directly, or of queued
 * mails for which it made an attempt.
 */
export const createPager = (deps: AlertDeps, send: MailSender): (() => Promise<number>) => {
  /**
   * Keys (`alertMailKey`) of mail that the mail server rejects permanently. This process doesn't send it again. The
   * replay queues it, and a worker sends it later.
   */
  const rejected = new Set<string>();

  const mailAlert = async (record: AlertRecord, mailed: ReadonlySet<string>): Promise<boolean> => {
    const board = deps.board();
    const alert = alertOf(board, record);
    if (!alert) return false;
    const content = alertMail(alert, deps.config.statusUrl);
    const recipients = board.operatorEmails.filter((recipient) => {
      const key = alertMailKey(record.id, recipientDigest(recipient));
      return !mailed.has(key) && !rejected.has(key);
    });
    const outcomes = await Promise.all(
      recipients.map(async (recipient) => {
        const digest = recipientDigest(recipient);
        const mail = { recipient, content, createdAt: record.at, unsubscribeUrl: null, id: `${record.id}.${digest}` };
        return { digest, outcome: await sendMailNow(deps, send, mail) };
      }),
    );
    for (const { digest, outcome } of outcomes) {
      if (outcome.kind !== "sent" && outcome.isFinal) rejected.add(alertMailKey(record.id, digest));
    }
    const at = deps.clock.now();
    const sent = outcomes.filter(({ outcome }) => outcome.kind === "sent");
    if (sent.length === 0) return false;
    await deps.journal.append(
      sent.map(({ digest }) => ({
        kind: "alert_mailed",
        id: newId("ntf"),
        recordId: record.id,
        recipient: digest,
        at,
      })),
    );
    return true;
  };

  return async () => {
    if (isBoardFresh(deps.board(), deps.clock.now())) return sendDueMail(deps, send, { limit: overdueLimit, overdue });
    const pending = deps.journal.pending();
    const mailed = mailedAlertKeys(pending);
    let count = 0;
    for (const record of pending.filter(isAlert)) if (await mailAlert(record, mailed)) count += 1;
    return count;
  };
};
