import type { Board, Incident, IncidentState, Maintenance, MaintenanceState } from "../board.ts";
import type { ComponentKey } from "../components.ts";

/** A public update of an incident or a maintenance window. */
export type PublicUpdate = {
  id: string;
  about: { kind: "incident" | "maintenance"; id: string; title: string; components: readonly ComponentKey[] };
  /** `Investigating` */
  stateName: string;
  text: string;
  at: Date;
};

type PublicState = Exclude<IncidentState, "draft" | "dismissed"> | MaintenanceState;

const stateNames: Readonly<Record<PublicState, string>> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
  scheduled: "Scheduled",
  in_progress: "In progress",
  completed: "Completed",
  cancelled: "Canceled",
};

/** @returns null for drafts and dismissed incidents, which aren't public. */
const stateNameOf = (state: IncidentState | MaintenanceState): string | null =>
  state === "draft" || state === "dismissed" ? null : stateNames[state];

export const isPublicIncident = (incident: Incident): incident is Incident & { publicAt: Date } =>
  incident.publicAt !== null && stateNameOf(incident.state) !== null;

/** An update that is older than the incident's publication gets the time of the publication. */
const ofIncident = (incident: Incident & { publicAt: Date }): PublicUpdate[] => {
  const { id, title, publicAt, components } = incident;
  const about = { kind: "incident", id, title, components: components.map(({ component }) => component) } as const;
  return incident.updates.flatMap((update) => {
    const stateName = stateNameOf(update.state);
    const at = new Date(Math.max(update.at.getTime(), publicAt.getTime()));
    return stateName === null ? [] : [{ id: update.id, about, stateName, text: update.text, at }];
  });
};

const ofMaintenance = ({ id, title, components, updates }: Maintenance): PublicUpdate[] => {
  const about = { kind: "maintenance", id, title, components } as const;
  return updates.map(({ id, state, text, at }) => ({ id, about, stateName: stateNames[state], text, at }));
};

/** Newest first. If two updates have the same time, the one that was written later comes first. */
export const publicUpdates = ({ incidents, maintenances }: Pick<Board, "incidents" | "maintenances">): PublicUpdate[] =>
  [...incidents.filter(isPublicIncident).flatMap(ofIncident), ...maintenances.flatMap(ofMaintenance)]
    .toReversed()
    .toSorted((left, right) => right.at.getTime() - left.at.getTime());

/** Permalink of the incident or maintenance, at this update. */
export const updateUrl = (statusUrl: string, { id, about }: PublicUpdate): string =>
  `${statusUrl}/status/${about.kind === "incident" ? "incidents" : "maintenance"}/${encodeURIComponent(about.id)}#${encodeURIComponent(id)}`;
