import { listIncidentRows } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import { type PostmortemStatus, postmortemStatusOf } from "../rules/incidents/postmortem-status.ts";

type Row = Awaited<ReturnType<typeof listIncidentRows>>[number];

/** Older incidents are on the status page, by month. */
const pageSize = 100;

/** Incidents, newest first, including drafts and dismissed drafts. */
export const listIncidents = async ({
  db,
  clock,
}: Pick<Deps, "db" | "clock">): Promise<{ incident: Row; postmortemStatus: PostmortemStatus }[]> => {
  const now = clock.now();
  return (await listIncidentRows(db, pageSize)).map((incident) => ({
    incident,
    postmortemStatus: postmortemStatusOf(incident, now),
  }));
};
