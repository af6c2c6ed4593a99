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

/** The database is there and nobody takes its mail: production's worker may be what the alert is about. */
const overdue = { kind: "status_alert", seconds: 60 } as const;
const overdueAtOnce = 20;

/**
 * Pages operators while the database is away, whose outage may be what the alert is about. Otherwise the replay queues the
 * mail, which it leaves out for whom the journal says was told here, and what no worker sends of it is sent from here too.
 * @returns a round of it, which tells how many alerts were told to somebody.
 */
export const createPager = (deps: AlertDeps, send: MailSender): (() => Promise<number>) => {
  /** Whom the server will never take a mail for is not asked of it again, but by the mail that the replay queues. */
  const refused = new Set<string>();

  const mailAlert = async (record: AlertRecord, told: ReadonlySet<string>): Promise<boolean> => {
    const board = deps.board();
    const alert = alertOf(board, record);
    if (!alert) return false;
    const content = alertMail(alert, deps.config.statusUrl);
    const untold = board.operatorEmails.filter((recipient) => {
      const name = alertMailKey(record.id, recipientDigest(recipient));
      return !told.has(name) && !refused.has(name);
    });
    const outcomes = await Promise.all(
      untold.map(async (recipient) => {
        const mark = recipientDigest(recipient);
        const mail = { recipient, content, createdAt: record.at, unsubscribeUrl: null, id: `${record.id}.${mark}` };
        return { mark, outcome: await sendMailNow(deps, send, mail) };
      }),
    );
    for (const { mark, outcome } of outcomes) {
      if (outcome.kind !== "sent" && outcome.isFinal) refused.add(alertMailKey(record.id, mark));
    }
    const at = deps.clock.now();
    const sent = outcomes.filter(({ outcome }) => outcome.kind === "sent");
    if (sent.length === 0) return false;
    await deps.journal.append(
      sent.map(({ mark }) => ({ kind: "alert_mailed", id: newId("ntc"), recordId: record.id, recipient: mark, at })),
    );
    return true;
  };

  return async () => {
    if (isBoardFresh(deps.board(), deps.clock.now())) return sendDueMail(deps, send, { limit: overdueAtOnce, overdue });
    const pending = deps.journal.pending();
    const told = mailedAlertKeys(pending);
    let count = 0;
    for (const record of pending.filter(isAlert)) if (await mailAlert(record, told)) count += 1;
    return count;
  };
};
