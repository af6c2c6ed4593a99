import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findIncident, lockIncident } from "../../data/status/incidents.ts";
import { markActionRow } from "../../data/status/postmortems.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = { incidentId: string; actionId: string; reason: string; actor: Actor; requestId: string };

/** Marks an action of a postmortem as done. Idempotent. Can't be undone. @throws DomainError action_not_found. */
export const completeAction = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { incidentId, actionId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  db.transaction(async (tx) => {
    const incident = (await lockIncident(tx.sql, incidentId)) ? await findIncident({ prisma: tx }, incidentId) : null;
    if (!incident?.postmortem?.actions.some(({ id }) => id === actionId)) {
      throw new DomainError("not_found", { code: "action_not_found", message: "Action not found. Reload the page." });
    }
    const at = clock.now();
    const isNew = await markActionRow(tx, { incidentId, actionId, at });
    if (isNew) {
      await appendAudit(tx.sql, {
        at,
        actor,
        requestId,
        action: "postmortem.action_done",
        subjectId: incidentId,
        data: { action_id: actionId, reason },
      });
    }
    return { isNew };
  });
