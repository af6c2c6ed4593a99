import { findMeasuredHealth } from "../../data/directory/participant-health.ts";
import {
  findMetadataChanges,
  findMetadataSnapshots,
  findMetadataTimes,
} from "../../data/directory/participant-metadata.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { participantNotFound } from "../participants/find-participant.ts";
import { lastDays } from "../rules/health.ts";
import { toHealth, toMetadata, toMetadataChange } from "./health.wire.ts";

const changesInApi = 20;
const changesOnPage = 5;

/** What the API shows about the metadata of a participant. @throws DomainError participant_not_found. */
export const getMetadata = async ({ db }: Pick<Deps, "db">, participantId: string) => {
  const [snapshots, changes] = await Promise.all([
    findMetadataSnapshots(db.sql, { participantId, uri: null }),
    findMetadataChanges(db.sql, participantId, changesInApi),
  ]);
  if (snapshots.length === 0 && !(await findParticipant(db.sql, participantId))) throw participantNotFound();
  return toMetadata(snapshots, changes);
};

/**
 * What pages show about the health of a participant, as plain JSON: one bar per day, the documents without their
 * content, and the newest changes. `result` is null before the first check.
 */
export const findHealth = async ({ db, clock }: Pick<Deps, "db" | "clock">, participantId: string) => {
  const now = clock.now();
  const [measured, documents, changes] = await Promise.all([
    findMeasuredHealth(db.sql, participantId),
    findMetadataTimes(db.sql, participantId),
    findMetadataChanges(db.sql, participantId, changesOnPage),
  ]);
  return {
    result: measured && toHealth(measured, now),
    days: lastDays(measured?.days ?? [], now),
    documents: documents.map(({ uri, fetchedAt, changedAt }) => ({
      uri,
      fetchedAt: fetchedAt?.toISOString() ?? null,
      changedAt: changedAt?.toISOString() ?? null,
    })),
    changes: changes.map(toMetadataChange),
  };
};

export type HealthView = Awaited<ReturnType<typeof findHealth>>;
