import { findIncidentPage } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import type { IncidentState } from "../rules/board.ts";
import { type PostmortemStatus, postmortemStatusOf } from "../rules/incidents/postmortem-status.ts";

type Query = {
  /** a part of the title, or an id */
  search?: string | undefined;
  state?: IncidentState | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

export type ListedIncident = {
  incident: Awaited<ReturnType<typeof findIncidentPage>>[number];
  postmortemStatus: PostmortemStatus;
};

/** A page of incidents, newest first, including drafts and dismissed drafts. */
export const listIncidents = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { search, state, startingAfter, limit }: Query,
): Promise<{ incidents: ListedIncident[]; hasMore: boolean }> => {
  const page = { search: search ?? null, state: state ?? null, startingAfter: startingAfter ?? null, limit };
  const [rows, now] = [await findIncidentPage(db, page), clock.now()];
  const incidents = rows
    .slice(0, limit)
    .map((incident) => ({ incident, postmortemStatus: postmortemStatusOf(incident, now) }));
  return { incidents, hasMore: rows.length > limit };
};
