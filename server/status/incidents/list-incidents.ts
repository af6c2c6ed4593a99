import { listIncidents as list } from "../../data/status/incidents.ts";
import type { Deps } from "../../deps/deps.ts";
import { type PostmortemStanding, postmortemStanding } from "../rules/incidents/postmortem-status.ts";

type Row = Awaited<ReturnType<typeof list>>[number];

/** A page's worth: older ones are on the status page, by month. */
const shown = 100;

/** Drafts and dismissed ones too, newest first, each with where its postmortem stands. */
export const listIncidents = async ({
  db,
  clock,
}: Pick<Deps, "db" | "clock">): Promise<{ incident: Row; standing: PostmortemStanding }[]> => {
  const now = clock.now();
  return (await list(db, shown)).map((incident) => ({ incident, standing: postmortemStanding(incident, now) }));
};
