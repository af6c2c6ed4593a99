import { listIncidentRows as list } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import { type PostmortemStatus, postmortemStatusOf } from "../rules/incidents/postmortem-status.ts";

type Row = Awaited<ReturnType<typeof list>>[number];

/** A page's worth: older ones are on the status page, by month. */
const pageSize = 100;

/** Drafts and dismissed ones too, newest first, each with where its postmortem stands. */
export const listIncidents = async ({
  db,
  clock,
}: Pick<Deps, "db" | "clock">): Promise<{ incident: Row; postmortemStatus: PostmortemStatus }[]> => {
  const now = clock.now();
  return (await list(db, pageSize)).map((incident) => ({
    incident,
    postmortemStatus: postmortemStatusOf(incident, now),
  }));
};
