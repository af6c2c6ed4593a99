import type { Board, ComponentState, Incident, IncidentImpact } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { probeActor } from "../journal/journal-record.ts";
import { probedSince } from "../probes/decide-change.ts";
import type { Observation } from "../probes/observe.ts";
import { isDown, severityOf } from "../severity.ts";

/** An incident opens if this many of the last `watchedRuns` runs found a component down. */
const neededRuns = 3;
const watchedRuns = 5;
/** An incident resolves automatically after this many good runs in a row. */
const stableRuns = 10;

/** Results of the last runs, oldest first. */
export type RecentRuns = ReadonlyMap<ComponentKey, readonly ComponentState[]>;

export const withRun = (recent: RecentRuns, observed: readonly Observation[]): RecentRuns =>
  new Map(
    observed.map(({ component, state }) => [
      component,
      [...(recent.get(component) ?? []), state].slice(-Math.max(watchedRuns, stableRuns)),
    ]),
  );

type Affected = { component: ComponentKey; state: ComponentState };

export type IncidentDecision =
  | { act: "open"; title: string; impact: IncidentImpact; text: string; startedAt: Date; components: Affected[] }
  | {
      act: "update";
      incident: Incident;
      /** null: unchanged */
      state: "investigating" | "monitoring" | "resolved" | null;
      text: string;
      components: Affected[];
    };

const isOver = ({ state }: Incident): boolean => state === "resolved" || state === "dismissed";
const nameOf = (key: ComponentKey): string => components.find((one) => one.key === key)?.name ?? key;
const listNames = (affected: readonly Affected[]): string =>
  affected.map(({ component }) => nameOf(component)).join(", ");

/** Whether the component was down in enough of the last runs, including the most recent one. */
const isFailing = (runs: readonly ComponentState[]): boolean => {
  const last = runs.slice(-watchedRuns);
  return last.filter(isDown).length >= neededRuns && last.slice(-1).some(isDown);
};
const isStable = (runs: readonly ComponentState[], needed: number): boolean =>
  runs.length >= needed && runs.slice(-needed).every((state) => state === "operational" || state === "degraded");

/** Whether an operator's incident or a maintenance window in progress already covers the component. */
const isCoveredByOperator = (board: Board, key: ComponentKey, now: Date): boolean =>
  board.incidents.some(
    (incident) =>
      incident.source === "operator" &&
      !isOver(incident) &&
      incident.components.some(({ component }) => component === key),
  ) ||
  board.maintenances.some(
    ({ state, scheduledTo, components: of }) => state === "in_progress" && scheduledTo > now && of.includes(key),
  );

/** Whether an operator dismissed the draft about this outage. */
const isDismissed = (board: Board, key: ComponentKey): boolean => {
  const since = probedSince(board, key);
  return board.incidents.some(
    ({ source, state, startedAt, components: of }) =>
      source === "probe" &&
      state === "dismissed" &&
      since !== null &&
      startedAt >= since &&
      of.some(({ component }) => component === key),
  );
};

/** Decides after each probe run whether the probes' incident opens, grows, recovers or resolves. */
export const decideIncident = (
  board: Board,
  recent: RecentRuns,
  { observed, now }: { observed: readonly Observation[]; now: Date },
): IncidentDecision | null => {
  const failing = observed.filter(
    ({ component }) =>
      isFailing(recent.get(component) ?? []) &&
      !isCoveredByOperator(board, component, now) &&
      !isDismissed(board, component),
  );
  const current = board.incidents.find(
    (incident) => incident.source === "probe" && !isOver(incident) && !isRecoveredDraft(incident),
  );
  const affected = failing.map(({ component, state }) => ({ component, state }));
  if (!current) {
    if (affected.length === 0) return null;
    const reasons = failing.map(({ component, reason }) => `${nameOf(component)}: ${reason}.`);
    return {
      act: "open",
      title: `Not available: ${listNames(affected)}`,
      impact: impactOf(affected),
      components: affected,
      startedAt: startOf(board, affected),
      text: `Our probes keep failing. ${reasons.join(" ")}`,
    };
  }
  return decideUpdate(current, recent, affected);
};

/** When the ongoing failures were first found. */
const startOf = (board: Board, affected: readonly Affected[]): Date => {
  const instants = affected.map(({ component }) => probedSince(board, component)?.getTime() ?? board.readAt.getTime());
  return new Date(Math.min(...instants));
};

/** Never critical: only operators make an incident critical, since it then requires a postmortem. */
const impactOf = (affected: readonly Affected[]): IncidentImpact =>
  affected.some(({ component, state }) => component !== "sandbox" && state === "major_outage") ? "major" : "minor";

const decideUpdate = (incident: Incident, recent: RecentRuns, failing: Affected[]): IncidentDecision | null => {
  const { state, components: known } = incident;
  const update = (to: "investigating" | "monitoring" | "resolved", text: string, also: Affected[] = []) => {
    return { act: "update" as const, incident, state: state === "draft" ? null : to, text, components: also };
  };
  const isNew = (one: Affected) =>
    known.every(
      ({ component, state: worst }) => component !== one.component || severityOf(one.state) > severityOf(worst),
    );
  const added = failing.filter(isNew);
  if (added.length > 0) return update("investigating", `Also affected: ${listNames(added)}.`, added);
  const isRecovered = hasRecovered(incident);
  if (failing.length > 0) return isRecovered ? update("investigating", `Failing again: ${listNames(failing)}.`) : null;
  const runsOf = known.map(({ component }) => recent.get(component) ?? []);
  if (!isRecovered)
    return runsOf.every((runs) => isStable(runs, 1))
      ? update("monitoring", `${recoveredText} We continue to monitor.`)
      : null;
  // If an operator has updated the incident, only an operator resolves it.
  const isOurs = incident.updates.every(({ actor }) => actor === probeActor);
  if (!isOurs || !runsOf.every((runs) => isStable(runs, stableRuns))) return null;
  return update("resolved", resolvedText);
};

const recoveredText = "All our probes pass again.";
const resolvedText = "All our probes have passed for several minutes.";

const lastProbeText = ({ updates }: Incident): string =>
  updates.findLast(({ actor }) => actor === probeActor)?.text ?? "";

/** Whether the outage of a draft ended before an operator confirmed the draft. A later failure is another incident. */
const isRecoveredDraft = (incident: Incident): boolean =>
  incident.state === "draft" && lastProbeText(incident) === resolvedText;

/** Whether the probes' last update reported the recovery. */
const hasRecovered = (incident: Incident): boolean => {
  const text = lastProbeText(incident);
  return text.startsWith(recoveredText) || text === resolvedText;
};
