import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { lockParticipantRow, updateWithdrawal } from "../../data/directory/participant-changes.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { participantNotFound } from "../participants/find-participant.ts";
import { recordVersion } from "../participants/record-version.ts";
import { refuseSuspendedServer } from "./refuse-suspended-server.ts";

type Input = { participantId: string; reason: string; actor: Actor; requestId: string };

/**
 * Withdraws the entry of an authorization server that an operator listed. Its page, history and keys stay. Withdrawing
 * it again changes nothing.
 * @throws DomainError participant_not_found; not_listed_server for any other entry; participant_suspended.
 */
export const withdrawServer = (
  { db, clock, config: { environment } }: Pick<Deps, "db" | "clock" | "config">,
  { participantId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  db.sqlTransaction(async (sql) => {
    await lockParticipantRow(sql, participantId);
    const row = await findParticipant(sql, participantId);
    if (!row) throw participantNotFound();
    if (row.issuer === null) {
      throw new DomainError("conflict", {
        code: "not_listed_server",
        message: "Only an authorization server that an operator listed can be withdrawn here.",
      });
    }
    if (row.status === "withdrawn") return { isNew: false };
    refuseSuspendedServer(row);
    const at = clock.now();
    await updateWithdrawal(sql, participantId, at);
    await recordVersion(sql, { id: participantId, change: "withdrawn", changedBy: actor.kind, at, environment });
    const action = "participant.withdrawn";
    await appendAudit(sql, { at, actor, requestId, subjectId: participantId, action, data: { reason } });
    return { isNew: true };
  });
