import type { Board, ComponentState, Incident, IncidentImpact } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { probeActor } from "../journal/journal-record.ts";
import { probedSince } from "../probes/decide-change.ts";
import type { Observation } from "../probes/observe.ts";
import { isDown, severityOf } from "../severity.ts";

/** So many of the last runs must have found a component down. */
const neededRuns = 3;
const watchedRuns = 5;
/** So many runs in a row must have found all well before an incident ends by itself. */
const stableRuns = 10;

/** What the last runs found, oldest first. */
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
      /** null: as it stands */
      state: "investigating" | "monitoring" | "resolved" | null;
      text: string;
      components: Affected[];
    };

const isOver = ({ state }: Incident): boolean => state === "resolved" || state === "dismissed";
const nameOf = (key: ComponentKey): string => components.find((one) => one.key === key)?.name ?? key;
const listNames = (affected: readonly Affected[]): string =>
  affected.map(({ component }) => nameOf(component)).join(", ");

/** Down in so many of the last runs, and in the last one. */
const isFailing = (runs: readonly ComponentState[]): boolean => {
  const last = runs.slice(-watchedRuns);
  return last.filter(isDown).length >= neededRuns && last.slice(-1).some(isDown);
};
const isStable = (runs: readonly ComponentState[], needed: number): boolean =>
  runs.length >= needed && runs.slice(-needed).every((state) => state === "operational" || state === "degraded");

/** Others speak for it: an operator's incident, or a maintenance that is under way. */
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

/** An operator has dismissed what the probes said of this very trouble. */
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

/** What the probes tell of incidents after a run: one opens, grows, calms down and ends by itself. */
export const decideIncident = (
  board: Board,
  recent: RecentRuns,
  { observed, now }: { observed: readonly Observation[]; now: Date },
): IncidentDecision | null => {
  const out = observed.filter(
    ({ component }) =>
      isFailing(recent.get(component) ?? []) &&
      !isCoveredByOperator(board, component, now) &&
      !isDismissed(board, component),
  );
  const current = board.incidents.find(
    (incident) => incident.source === "probe" && !isOver(incident) && !isRecoveredDraft(incident),
  );
  const affected = out.map(({ component, state }) => ({ component, state }));
  if (!current) {
    if (affected.length === 0) return null;
    const reasons = out.map(({ component, reason }) => `${nameOf(component)}: ${reason}.`);
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

/** When the probes first found what they still find. */
const startOf = (board: Board, affected: readonly Affected[]): Date => {
  const instants = affected.map(({ component }) => probedSince(board, component)?.getTime() ?? board.readAt.getTime());
  return new Date(Math.min(...instants));
};

/** Operators raise it where it is critical, since that promises a postmortem. */
const impactOf = (affected: readonly Affected[]): IncidentImpact =>
  affected.some(({ component, state }) => component !== "sandbox" && state === "major_outage") ? "major" : "minor";

const decideUpdate = (incident: Incident, recent: RecentRuns, out: Affected[]): IncidentDecision | null => {
  const { state, components: known } = incident;
  const update = (to: "investigating" | "monitoring" | "resolved", text: string, also: Affected[] = []) => {
    return { act: "update" as const, incident, state: state === "draft" ? null : to, text, components: also };
  };
  const isNew = (one: Affected) =>
    known.every(
      ({ component, state: worst }) => component !== one.component || severityOf(one.state) > severityOf(worst),
    );
  const added = out.filter(isNew);
  if (added.length > 0) return update("investigating", `Now also: ${listNames(added)}.`, added);
  const isCalm = hasRecovered(incident);
  if (out.length > 0) return isCalm ? update("investigating", `${listNames(out)}: not available again.`) : null;
  const runsOf = known.map(({ component }) => recent.get(component) ?? []);
  if (!isCalm)
    return runsOf.every((runs) => isStable(runs, 1))
      ? update("monitoring", `${recoveredText} We keep watching.`)
      : null;
  // Who works on it says when it is over.
  const isOurs = incident.updates.every(({ actor }) => actor === probeActor);
  if (!isOurs || !runsOf.every((runs) => isStable(runs, stableRuns))) return null;
  return update("resolved", resolvedText);
};

const recoveredText = "Our probes find all well again.";
const resolvedText = "Our probes have found all well for a while.";

const lastProbeText = ({ updates }: Incident): string =>
  updates.findLast(({ actor }) => actor === probeActor)?.text ?? "";

/** A draft of what is over, which still waits for an operator: what fails later is something else. */
const isRecoveredDraft = (incident: Incident): boolean =>
  incident.state === "draft" && lastProbeText(incident) === resolvedText;

/** Whether the probes' last word was that it is over. */
const hasRecovered = (incident: Incident): boolean => {
  const words = lastProbeText(incident);
  return words.startsWith(recoveredText) || words === resolvedText;
};
