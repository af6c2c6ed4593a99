import { appendAudit } from "../../data/audit/audit.ts";
import { type ClaimedMail, claimMail, endMail, keepPendingMail, rescheduleMail } from "../../data/mail/mail.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import type { MailKind } from "./rules/mail-content.ts";
import { nextTryAt } from "./rules/schedule.ts";
import type { MailSender } from "./smtp.ts";

/**
 * Longer than an attempt can take. If an attempt has no outcome by then, its worker has crashed, and the attempt is
 * repeated.
 */
const claimSeconds = 120;

type SendingDeps = Pick<Deps, "db" | "clock" | "log">;

/**
 * Sends due mail. At most one worker at a time sends a mail. It is sent at least once, always with the same Message-ID.
 * @param send null: mail isn't sent, and is kept in the outbox.
 * @param overdue limits the call to mail of this kind that has been due for this many seconds and that no worker has
 *   claimed.
 * @returns the number of mails; call again while it equals `limit`.
 */
export const sendDueMail = async (
  deps: SendingDeps,
  send: MailSender | null,
  { limit, overdue }: { limit: number; overdue?: { kind: MailKind; seconds: number } },
): Promise<number> => {
  const now = deps.clock.now();
  if (send === null) return keepPendingMail(deps.db.sql, { now, limit });
  const claimed = await claimMail(deps.db.sql, {
    due: addSeconds(now, -(overdue?.seconds ?? 0)),
    kind: overdue?.kind ?? null,
    claimUntil: addSeconds(now, claimSeconds),
    limit,
  });
  await Promise.all(claimed.map((mail) => sendOne({ ...deps, send }, mail, now)));
  return claimed.length;
};

const sendOne = async (deps: SendingDeps & { send: MailSender }, mail: ClaimedMail, now: Date): Promise<void> => {
  const { id, createdAt, attempts, obsoleteAfter } = mail;
  if (obsoleteAfter !== null && obsoleteAfter <= now) return giveUp(deps, mail, "no longer relevant");
  const outcome = await deps.send(mail);
  const at = deps.clock.now();
  if (outcome.kind === "sent") {
    await endMail(deps.db.sql, { id, createdAt, at, state: "sent", problem: null });
    return;
  }
  const next = outcome.isFinal ? null : nextTryAt(attempts, at, obsoleteAfter);
  if (next === null) return giveUp(deps, mail, outcome.problem);
  await rescheduleMail(deps.db.sql, { id, createdAt, attempts, next, problem: outcome.problem });
};

/** Marks the mail as failed and writes its audit entry in one transaction, once. */
const giveUp = (deps: SendingDeps, { id, createdAt, kind, attempts }: ClaimedMail, problem: string): Promise<void> => {
  const at = deps.clock.now();
  return deps.db.sqlTransaction(async (sql) => {
    if (!(await endMail(sql, { id, createdAt, at, state: "failed", problem }))) return;
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "mail" },
      action: "mail.given_up",
      subjectId: id,
      requestId: newId("req"),
      data: { kind, attempts },
    });
    deps.log.warn({ mailId: id, kind, attempts }, "a mail could not be sent");
  });
};
