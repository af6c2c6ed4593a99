import { findParticipantVersions, type ParticipantVersionRow } from "../../data/directory/participant-versions.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type EntryContext, type Participant, toParticipant } from "./participant.wire.ts";

export const participantNotFound = () =>
  new DomainError("not_found", { code: "participant_not_found", message: "Participant not found." });

export type EntryQuery = { id: string; server: EntryContext["server"] };

/** Returns one entry, even if it is withdrawn. @throws DomainError participant_not_found. */
export const getParticipant = async (
  { config, db, clock }: Pick<Deps, "config" | "db" | "clock">,
  { id, server }: EntryQuery,
): Promise<Participant> => {
  const row = await findParticipant(db.sql, id);
  if (!row) throw participantNotFound();
  return toParticipant(row, { environment: config.environment, server, now: clock.now() });
};

/** Returns the versions of an entry, newest first. @throws DomainError participant_not_found. */
export const listParticipantHistory = async (
  { db }: Pick<Deps, "db">,
  { id, before, limit }: { id: string; before: number | null; limit: number },
): Promise<{ versions: ParticipantVersionRow[]; hasMore: boolean }> => {
  const rows = await findParticipantVersions(db.sql, { participantId: id, before, limit });
  if (rows.length === 0 && !(await findParticipant(db.sql, id))) throw participantNotFound();
  return { versions: rows.slice(0, limit), hasMore: rows.length > limit };
};

type HistoryQuery = { id: string; before: number | null; limit: number };

/**
 * A page of an entry's versions, newest first, each with the document of the previous version.
 * @returns `older`: the `before` of the next page; null on the last page.
 * @throws DomainError participant_not_found.
 */
export const pageHistory = async (deps: Pick<Deps, "db">, { id, before, limit }: HistoryQuery) => {
  // Reads one version more than the page shows: the last one shown is compared with it to list its changes.
  const { versions } = await listParticipantHistory(deps, { id, before, limit: limit + 1 });
  const entries = versions.slice(0, limit).map((row, index) => ({
    version: row.version,
    change: row.change,
    changedAt: row.changedAt.toISOString(),
    changedBy: row.changedBy,
    logIndex: row.logIndex,
    document: row.document,
    before: versions[index + 1]?.document ?? null,
    diff: row.diff,
  }));
  return { entries, older: versions.length > limit ? (entries.at(-1)?.version ?? null) : null };
};
