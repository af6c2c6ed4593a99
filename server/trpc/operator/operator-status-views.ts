import type { IncidentForOperator } from "../../status/incidents/get-incident.ts";
import type { ListedIncident } from "../../status/incidents/list-incidents.ts";
import type { getMaintenance } from "../../status/maintenance/get-maintenance.ts";
import type { Board } from "../../status/rules/board.ts";
import { components } from "../../status/rules/components.ts";
import { deployedComponents } from "../../status/rules/deployed.ts";
import type { PostmortemStatus } from "../../status/rules/incidents/postmortem-status.ts";
import { isResetMaintenance } from "../../status/rules/maintenance/reset-maintenance.ts";

const nameOf = (component: string): string => components.find(({ key }) => key === component)?.name ?? component;

/** The components that an operator can select, in the order of the status page. */
export const toComponentChoices = (board: Board, now: Date) =>
  deployedComponents(board, now.getTime()).map(({ key, name }) => ({ key, name }));

/** A UTC day as `2026-11-21`. */
const dayText = (day: Date): string => day.toISOString().slice(0, 10);

const toPostmortemStatus = (status: PostmortemStatus) =>
  "dueOn" in status ? { kind: status.kind, dueOn: dayText(status.dueOn) } : { kind: status.kind, dueOn: null };

type Update<State> = { id: string; state: State; text: string; actor: string; at: Date };
const toUpdates = <State>(updates: readonly Update<State>[]) =>
  updates.map(({ id, state, text, actor, at }) => ({ id, state, text, actor, at: at.toISOString() }));

/** Plain JSON for the operator pages, with times as RFC 3339 texts. */
export const toIncident = ({ incident, postmortemStatus }: ListedIncident) => ({
  id: incident.id,
  title: incident.title,
  state: incident.state,
  impact: incident.impact,
  isMeasured: incident.source === "probe",
  startedAt: incident.startedAt.toISOString(),
  resolvedAt: incident.resolvedAt?.toISOString() ?? null,
  components: incident.components.map(({ component, state }) => ({ key: component, name: nameOf(component), state })),
  postmortem: toPostmortemStatus(postmortemStatus),
});

const toPostmortem = (postmortem: NonNullable<IncidentForOperator["incident"]["postmortem"]>) => ({
  summary: postmortem.summary,
  timeline: postmortem.timeline,
  causes: postmortem.causes,
  author: postmortem.author,
  publishedAt: postmortem.publishedAt?.toISOString() ?? null,
  updatedAt: postmortem.updatedAt.toISOString(),
  actions: postmortem.actions.map(({ id, title, owner, dueOn, doneAt }) => ({
    id,
    title,
    owner,
    dueOn: dayText(dueOn),
    doneAt: doneAt?.toISOString() ?? null,
  })),
});

export const toIncidentDetail = ({ incident, operatorStates, postmortemStatus }: IncidentForOperator) => ({
  ...toIncident({ incident, postmortemStatus }),
  /** the state that operators set for each component; null: the measured state applies */
  operatorStates: components.map(({ key, name }) => ({ key, name, state: operatorStates.get(key) ?? null })),
  updates: toUpdates(incident.updates),
  writtenPostmortem: incident.postmortem && toPostmortem(incident.postmortem),
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
  /** false for the announcement of a sandbox reset, which follows its schedule */
  isCancellable: !isResetMaintenance(maintenance.id),
  updates: toUpdates(maintenance.updates),
});

export type OperatorMaintenance = ReturnType<typeof toMaintenance>;
export type OperatorIncident = ReturnType<typeof toIncident>;
export type OperatorIncidentDetail = ReturnType<typeof toIncidentDetail>;
export type ComponentChoice = ReturnType<typeof toComponentChoices>[number];
export type OperatorPostmortem = ReturnType<typeof toPostmortem>;
