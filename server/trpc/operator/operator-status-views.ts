import type { IncidentForOperator } from "../../status/incidents/get-incident.ts";
import type { listIncidents } from "../../status/incidents/list-incidents.ts";
import type { getMaintenance } from "../../status/maintenance/get-maintenance.ts";
import type { Board } from "../../status/rules/board.ts";
import { components } from "../../status/rules/components.ts";
import { deployedComponents } from "../../status/rules/deployed.ts";
import type { PostmortemStatus } from "../../status/rules/incidents/postmortem-status.ts";
import { isResetMaintenance } from "../../status/rules/maintenance/reset-maintenance.ts";

const nameOf = (component: string): string => components.find(({ key }) => key === component)?.name ?? component;

/** What an operator may choose from, in the order of the status page. */
export const toComponentChoices = (board: Board, now: Date) =>
  deployedComponents(board, now.getTime()).map(({ key, name }) => ({ key, name }));

/** A UTC day as `2026-11-21`. */
const dayText = (day: Date): string => day.toISOString().slice(0, 10);

const toStanding = (standing: PostmortemStatus) =>
  "dueOn" in standing ? { kind: standing.kind, dueOn: dayText(standing.dueOn) } : { kind: standing.kind, dueOn: null };

type Update<State> = { id: string; state: State; text: string; actor: string; at: Date };
const toUpdates = <State>(updates: readonly Update<State>[]) =>
  updates.map(({ id, state, text, actor, at }) => ({ id, state, text, actor, at: at.toISOString() }));

/** What travels to the operator's pages: plain JSON, instants as RFC 3339 texts. */
export const toIncident = ({ incident, postmortemStatus }: Awaited<ReturnType<typeof listIncidents>>[number]) => ({
  id: incident.id,
  title: incident.title,
  state: incident.state,
  impact: incident.impact,
  isMeasured: incident.source === "probe",
  startedAt: incident.startedAt.toISOString(),
  resolvedAt: incident.resolvedAt?.toISOString() ?? null,
  components: incident.components.map(({ component, state }) => ({ key: component, name: nameOf(component), state })),
  postmortem: toStanding(postmortemStatus),
});

const toPostmortem = (written: NonNullable<IncidentForOperator["incident"]["postmortem"]>) => ({
  summary: written.summary,
  timeline: written.timeline,
  causes: written.causes,
  author: written.author,
  publishedAt: written.publishedAt?.toISOString() ?? null,
  updatedAt: written.updatedAt.toISOString(),
  actions: written.actions.map(({ id, title, owner, dueOn, doneAt }) => ({
    id,
    title,
    owner,
    dueOn: dayText(dueOn),
    doneAt: doneAt?.toISOString() ?? null,
  })),
});

export const toIncidentDetail = ({ incident, operatorStates, postmortemStatus }: IncidentForOperator) => ({
  ...toIncident({ incident, postmortemStatus }),
  /** what operators say of each component now; null: nothing, it is as measured */
  said: components.map(({ key, name }) => ({ key, name, state: operatorStates.get(key) ?? null })),
  updates: toUpdates(incident.updates),
  written: incident.postmortem && toPostmortem(incident.postmortem),
});

type MaintenanceRow = Awaited<ReturnType<typeof getMaintenance>>;

export const toMaintenance = (maintenance: MaintenanceRow) => ({
  id: maintenance.id,
  title: maintenance.title,
  state: maintenance.state,
  components: maintenance.components.map(nameOf),
  announcedAt: maintenance.announcedAt.toISOString(),
  from: maintenance.scheduledFrom.toISOString(),
  to: maintenance.scheduledTo.toISOString(),
  startedAt: maintenance.startedAt?.toISOString() ?? null,
  endedAt: maintenance.endedAt?.toISOString() ?? null,
});

export const toMaintenanceDetail = (maintenance: MaintenanceRow) => ({
  ...toMaintenance(maintenance),
  /** what comes by a schedule of its own isn't taken back here */
  isCancellable: !isResetMaintenance(maintenance.id),
  updates: toUpdates(maintenance.updates),
});

export type OperatorMaintenance = ReturnType<typeof toMaintenance>;
export type OperatorIncident = ReturnType<typeof toIncident>;
export type OperatorIncidentDetail = ReturnType<typeof toIncidentDetail>;
export type ComponentChoice = ReturnType<typeof toComponentChoices>[number];
export type OperatorPostmortem = ReturnType<typeof toPostmortem>;
