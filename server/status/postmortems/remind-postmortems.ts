import { listOperatorEmails } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { findUnwrittenPostmortems, markReminded } from "../../data/status/postmortems.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { isReminderDue, postmortemStatusOf, utcMidnightOf } from "../rules/incidents/postmortem-status.ts";

const actor = { kind: "system", id: "remind-postmortems" } as const;

/**
 * Reminds each operator of postmortems that are due or overdue, once a working day per incident, whatever the number of
 * workers and runs. @returns the incidents that were told of.
 */
export const remindPostmortems = async (deps: Pick<Deps, "db" | "clock" | "config">): Promise<string[]> => {
  const now = deps.clock.now();
  const reminded: string[] = [];
  for (const incident of await findUnwrittenPostmortems(deps.db)) {
    const standing = postmortemStatusOf(incident, now);
    const { id, title, resolvedAt, postmortemRemindedOn: remindedOn } = incident;
    if (!("dueOn" in standing) || !isReminderDue(standing, { resolvedAt, remindedOn }, now)) continue;
    const isOurs = await deps.db.transaction(async (tx) => {
      if (!(await markReminded(tx, id, utcMidnightOf(now)))) return false;
      const requestId = newId("req");
      const content = {
        kind: "postmortem_due" as const,
        title,
        dueOn: standing.dueOn,
        isOverdue: standing.kind === "overdue",
        incidentUrl: `${deps.config.walletUrl}/operator/incidents/${id}`,
      };
      const recipients = await listOperatorEmails(tx.sql);
      for (const recipient of recipients) await queueMail(deps, tx.sql, { recipient, content, requestId });
      await appendAudit(tx.sql, {
        at: now,
        actor,
        requestId,
        action: "postmortem.reminded",
        subjectId: id,
        data: { operators: recipients.length, is_overdue: standing.kind === "overdue" },
      });
      return true;
    });
    if (isOurs) reminded.push(id);
  }
  return reminded;
};
