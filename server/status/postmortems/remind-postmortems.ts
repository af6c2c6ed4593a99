import { appendAudit } from "../../data/audit/audit.ts";
import { listOperatorEmails } from "../../data/operators/operators.ts";
import { findUnwrittenPostmortems, markReminded } from "../../data/status/postmortems.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { queueMailToAll } from "../../platform/mail/queue-mail-to-all.ts";
import { isReminderDue, postmortemStatusOf, utcMidnightOf } from "../rules/incidents/postmortem-status.ts";

const actor = { kind: "system", id: "remind-postmortems" } as const;

/**
 * Mails operators about postmortems that are due or overdue: once per incident and working day, with any number of
 * workers.
 * @returns the ids of these incidents.
 */
export const remindPostmortems = async (deps: Pick<Deps, "db" | "clock" | "config">): Promise<string[]> => {
  const now = deps.clock.now();
  const reminded: string[] = [];
  for (const incident of await findUnwrittenPostmortems(deps.db)) {
    const status = postmortemStatusOf(incident, now);
    const { id, title, resolvedAt, postmortemRemindedOn: remindedOn } = incident;
    if (!("dueOn" in status) || !isReminderDue(status, { resolvedAt, remindedOn }, now)) continue;
    const isReminded = await deps.db.transaction(async (tx) => {
      if (!(await markReminded(tx, id, utcMidnightOf(now)))) return false;
      const requestId = newId("req");
      const content = {
        kind: "postmortem_due" as const,
        title,
        dueOn: status.dueOn,
        isOverdue: status.kind === "overdue",
        incidentUrl: `${deps.config.walletUrl}/operator/incidents/${id}`,
      };
      const recipients = await listOperatorEmails(tx.sql);
      await queueMailToAll(deps, tx.sql, { recipients, content, requestId });
      await appendAudit(tx.sql, {
        at: now,
        actor,
        requestId,
        action: "postmortem.reminded",
        subjectId: id,
        data: { operators: recipients.length, is_overdue: status.kind === "overdue" },
      });
      return true;
    });
    if (isReminded) reminded.push(id);
  }
  return reminded;
};
