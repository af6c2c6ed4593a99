import { listPastActs, type PastAct } from "../../audit/past-acts.ts";
import { findParticipantDomains, type ParticipantDomainRow } from "../../data/directory/participant-domains.ts";
import { findParticipant, type ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { participantNotFound } from "../../directory/participants/find-participant.ts";

export type EntryForOperator = {
  entry: ParticipantRow;
  /** all claims, verified or not */
  domains: ParticipantDomainRow[];
  /** newest first */
  history: PastAct[];
};

/** An entry of the directory with its claims and its history in the audit log. @throws DomainError not_found. */
export const getEntry = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  { participantId }: { participantId: string },
): Promise<EntryForOperator> => {
  const entry = await findParticipant(deps.db.sql, participantId);
  if (!entry) throw participantNotFound();
  const [domains, history] = await Promise.all([
    findParticipantDomains(deps.db.sql, participantId),
    listPastActs(deps, { subjectId: participantId, from: entry.createdAt }),
  ]);
  return { entry, domains, history };
};
