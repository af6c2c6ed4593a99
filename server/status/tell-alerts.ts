import { createHash } from "node:crypto";
import { newId } from "../kernel/ids.ts";
import { sendMailNow } from "../mail/send-mail-now.ts";
import type { MailSender } from "../mail/smtp.ts";
import { alertMail } from "./alert-mail.ts";
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
 * mail, which it leaves out for what the journal says was told here.
 * @returns how many alerts were told.
 */
export const tellAlerts = async (deps: AlertDeps, send: MailSender): Promise<number> => {
  const board = deps.board();
  if (isFresh(board, deps.clock.now())) return 0;
  const pending = deps.journal.pending();
  const told = new Set(pending.map((record) => (record.kind === "alert_told" ? record.recordId : null)));
  let count = 0;
  for (const record of pending.filter(isAlert).filter(({ id }) => !told.has(id))) {
    const alert = alertOf(board, record);
    if (!alert) continue;
    const content = alertMail(alert, deps.config.statusUrl);
    const outcomes = await Promise.all(
      board.operatorEmails.map((recipient) =>
        sendMailNow(deps, send, {
          ...{ recipient, content, createdAt: record.at, unsubscribeUrl: null },
          id: `${record.id}.${createHash("sha256").update(recipient).digest("hex").slice(0, 16)}`,
        }),
      ),
    );
    if (!outcomes.some(({ kind }) => kind === "sent")) continue;
    await deps.journal.append([{ kind: "alert_told", id: newId("ntc"), recordId: record.id, at: deps.clock.now() }]);
    count += 1;
  }
  return count;
};
