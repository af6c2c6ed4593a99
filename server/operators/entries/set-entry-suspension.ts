import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { lockParticipantRow, updateEntrySuspension } from "../../data/directory/participant-changes.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { participantNotFound } from "../../directory/participants/find-participant.ts";
import { notifyEntryOwners } from "../../directory/participants/notify-entry-owners.ts";
import { recordVersion } from "../../directory/participants/record-version.ts";
import { DomainError } from "../../kernel/errors.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";

type Input = { participantId: string; isSuspended: boolean; reason: string; actor: Actor; requestId: string };

/**
 * Suspends an entry of the directory, or lifts the suspension, without changing its merchant. The clients of a suspended
 * entry aren't verified, and its owners can't change the entry. The owners get an e-mail. Setting the current state again
 * changes nothing and sends no e-mail.
 * @throws DomainError participant_not_found; server_entry for the authorization server's own entry.
 */
export const setEntrySuspension = (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  { participantId, isSuspended, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  db.sqlTransaction(async (sql) => {
    await lockParticipantRow(sql, participantId);
    const entry = await findParticipant(sql, participantId);
    if (!entry) throw participantNotFound();
    if (participantId === serverParticipantId) {
      throw new DomainError("conflict", {
        code: "server_entry",
        message: "This is the entry of the authorization server itself. It can’t be suspended.",
      });
    }
    if ((entry.suspendedAt !== null) === isSuspended) return { isNew: false };
    const at = clock.now();
    const change = isSuspended ? "suspended" : "resumed";
    await updateEntrySuspension(sql, participantId, isSuspended ? at : null);
    await recordVersion(sql, { id: participantId, change, changedBy: actor.kind, at, environment: config.environment });
    const notice = { kind: isSuspended ? "entry_suspended" : "entry_resumed" } as const;
    await notifyEntryOwners({ config, clock }, sql, { participantId, change: notice, at, requestId });
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: participantId,
      action: `participant.${change}`,
      data: { reason, ...(entry.merchantId === null ? {} : { merchant_id: entry.merchantId }) },
    });
    return { isNew: true };
  });
