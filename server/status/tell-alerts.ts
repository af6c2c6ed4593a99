import { newId } from "../kernel/ids.ts";
import { sendMailNow } from "../mail/send-mail-now.ts";
import type { MailSender } from "../mail/smtp.ts";
import { alertMail, markOf } from "./alert-mail.ts";
import type { Board } from "./rules/board.ts";
import { isFresh } from "./rules/confirmable.ts";
import type { AlertRecord, JournalRecord } from "./rules/journal-record.ts";
import type { StatusDeps } from "./runtime.ts";

type AlertDeps = Pick<StatusDeps, "board" | "clock" | "config" | "log"> & {
  journal: StatusDeps["journal"] & { pending(): readonly JournalRecord[] };
};

const isAlert = (record: JournalRecord): record is AlertRecord =>
  record.kind === "alert_started" || record.kind === "alert_ended";

const alertOf = ({ alerts }: Board, record: AlertRecord) => {
  if (record.kind === "alert_started") return record;
  const ended = alerts.find(({ id }) => id === record.alertId);
  return ended && { ...ended, burnRate: null, at: record.at };
};

/**
 * Pages operators while the database is away, whose outage may be what the alert is about. Otherwise the replay queues the
 * mail, which it leaves out for whom the journal says was told here.
 * @returns how many alerts were told to somebody.
 */
export const tellAlerts = async (deps: AlertDeps, send: MailSender): Promise<number> => {
  const board = deps.board();
  if (isFresh(board, deps.clock.now())) return 0;
  const pending = deps.journal.pending();
  const told = new Set(
    pending.flatMap((record) => (record.kind === "alert_told" ? [`${record.recordId} ${record.recipient}`] : [])),
  );
  let count = 0;
  for (const record of pending.filter(isAlert)) {
    const alert = alertOf(board, record);
    if (!alert) continue;
    const content = alertMail(alert, deps.config.statusUrl);
    const untold = board.operatorEmails.filter((recipient) => !told.has(`${record.id} ${markOf(recipient)}`));
    const outcomes = await Promise.all(
      untold.map(async (recipient) => {
        const mark = markOf(recipient);
        const mail = { recipient, content, createdAt: record.at, unsubscribeUrl: null, id: `${record.id}.${mark}` };
        return { mark, outcome: await sendMailNow(deps, send, mail) };
      }),
    );
    const at = deps.clock.now();
    const ended = outcomes.filter(({ outcome }) => outcome.kind === "sent" || outcome.isFinal);
    const records = ended.map(({ mark }) => {
      return { kind: "alert_told", id: newId("ntc"), recordId: record.id, recipient: mark, at } as const;
    });
    if (records.length > 0) await deps.journal.append(records);
    if (outcomes.some(({ outcome }) => outcome.kind === "sent")) count += 1;
  }
  return count;
};
