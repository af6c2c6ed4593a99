import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../kernel/ids.ts";
import type { Board } from "../rules/board.ts";
import type { ComponentKey } from "../rules/components.ts";
import { decideIncident, type IncidentDecision, type RecentRuns, withRun } from "../rules/incidents/decide-incident.ts";
import { isConfirmable } from "../rules/incidents/draft-confirmation.ts";
import { type JournalRecord, withRecords } from "../rules/journal/journal-record.ts";
import type { CheckResult } from "../rules/probes/checks.ts";
import {
  cascadeChanges,
  combineRuns,
  type NewComponentChange,
  needsRecheck,
  probeChanges,
  wasSeenWorking,
} from "../rules/probes/decide-change.ts";
import { observe, withoutUnreliableResults } from "../rules/probes/observe.ts";
import { type AlertDecision, decideAlerts } from "../rules/uptime/decide-alerts.ts";
import type { StatusDeps } from "../runtime.ts";
import { measureEventLoopDelay } from "./measure-event-loop-delay.ts";
import { visit } from "./visit.ts";

type Options = {
  intervalMilliseconds: number;
  /** whether incidents that open by themselves wait for an operator, where one could confirm them */
  incidentsAreDrafts: boolean;
  runChecks: () => Promise<CheckResult[]>;
};

type Watcher = Pick<StatusDeps, "board" | "journal" | "clock" | "log">;
type Starter = Watcher & Pick<StatusDeps, "productionUrl">;

/** Longer than a run takes where nobody answers. */
const slowestRunMilliseconds = 15_000;
/** Behind this an answer may have been there in time, and was not heard. */
const tolerableLatenessMilliseconds = 1_000;
const recheckMilliseconds = 2_000;
const startPauseMilliseconds = 1_000;

/** Probes run for as long as the process lives; each run ends in the journal. */
export const startProbes = (deps: Starter, options: Options): { stop(): Promise<void> } => {
  const abort = new AbortController();
  const running = loop(deps, options, abort.signal);
  return {
    stop() {
      abort.abort();
      return running;
    },
  };
};

const loop = async (deps: Starter, options: Options, signal: AbortSignal): Promise<void> => {
  await untilAnswered(deps, options, signal);
  let recent: RecentRuns = new Map();
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      recent = await probeOnce(deps, options, recent);
    } catch (error) {
      // Without its heartbeat this run's time is unknown.
      deps.log.error({ err: error }, "a probe's run failed");
    }
    const jittered = (options.intervalMilliseconds * randomInt(90, 111)) / 100;
    await sleep(Math.max(0, jittered - (performance.now() - startedAt)), undefined, { signal }).catch(() => {});
  }
};

/** Everything starts at once: until production has answered, for two intervals at the most, its silence says nothing. */
const untilAnswered = async ({ productionUrl }: Starter, options: Options, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + 2 * options.intervalMilliseconds;
  while (!signal.aborted && performance.now() < deadline) {
    const patience = AbortSignal.timeout(startPauseMilliseconds);
    const isThere = await visit(`${productionUrl}/readyz`, { signal: patience }).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isThere) return;
    await sleep(startPauseMilliseconds, undefined, { signal }).catch(() => {});
  }
};

/** One run, as the journal gets it. */
export const probeOnce = async (deps: Watcher, options: Options, recent: RecentRuns): Promise<RecentRuns> => {
  const { clock, journal, log } = deps;
  const at = clock.now();
  let hasStoodStill = false;
  const look = async () => {
    const { value, delayMilliseconds } = await measureEventLoopDelay(options.runChecks);
    hasStoodStill ||= delayMilliseconds > slowestRunMilliseconds;
    const isLate = delayMilliseconds > tolerableLatenessMilliseconds;
    if (isLate) log.warn({ delayMilliseconds }, "this process was too busy to hear what its probes were answered");
    const isKnown = (component: ComponentKey) => wasSeenWorking(deps.board(), component);
    return observe(isLate ? withoutUnreliableResults(value, isKnown) : value, isKnown);
  };
  let observed = await look();
  if (needsRecheck(deps.board(), observed)) {
    await sleep(Math.min(recheckMilliseconds, options.intervalMilliseconds / 4));
    observed = combineRuns(deps.board(), observed, await look());
  }
  if (hasStoodStill) {
    // Whatever was answered in the end, nobody watched meanwhile: without a heartbeat the next run finds the gap.
    log.warn({}, "this process stood still during a probe's run");
    return recent;
  }
  const gapMilliseconds = 2 * options.intervalMilliseconds + slowestRunMilliseconds;
  const changes = probeChanges(deps.board(), observed, { at, gapMilliseconds });
  const probed: JournalRecord[] = [
    ...changes.map(toRecord),
    { kind: "heartbeat", id: newId("cch"), at: clock.now(), components: observed.map(({ component }) => component) },
  ];
  const cascaded = cascadeChanges(withRecords(deps.board(), probed), at);
  // At once: nobody sees the one without the other.
  await journal.append([...probed, ...cascaded.map(toRecord)]);
  for (const { component, state, reason } of [...changes, ...cascaded]) {
    // Unknown is a gap in what was observed, as after each restart, and no fault of the component.
    const level = state === "operational" || state === "unknown" ? "info" : "warn";
    log[level]({ component, state, reason }, "a component's state changed");
  }
  const runs = withRun(recent, observed);
  const isDraft = options.incidentsAreDrafts && isConfirmable(deps.board(), clock.now());
  const decision = decideIncident(withoutUnseen(deps.board(), isDraft), runs, { observed, now: clock.now() });
  if (decision) {
    const record = incidentRecord(decision, { at: clock.now(), isDraft });
    await journal.append([record]);
    log.warn({ incident: record.kind === "incident_opened" ? record.id : record.incidentId }, record.text);
  }
  const alerts = decideAlerts(deps.board(), clock.now());
  if (alerts.length > 0) await journal.append(alerts.map((alert) => alertRecord(alert, clock.now())));
  return runs;
};

/** What fails while nobody can see a draft gets an incident of its own, which is told. */
const withoutUnseen = (board: Board, isDraft: boolean): Board =>
  isDraft ? board : { ...board, incidents: board.incidents.filter(({ state }) => state !== "draft") };

const toRecord = (change: NewComponentChange): JournalRecord => ({ kind: "change", id: newId("cch"), ...change });

const incidentRecord = (decision: IncidentDecision, { at, isDraft }: { at: Date; isDraft: boolean }) => {
  if (decision.act === "open") {
    const { act: _, ...told } = decision;
    return { kind: "incident_opened", id: newId("inc"), updateId: newId("upd"), isDraft, at, ...told } as const;
  }
  const { incident, state, text, components } = decision;
  return { kind: "incident_updated", id: newId("upd"), incidentId: incident.id, state, text, at, components } as const;
};

const alertRecord = (decision: AlertDecision, at: Date): JournalRecord => {
  if (decision.act === "end") return { kind: "alert_ended", id: newId("alt"), alertId: decision.alertId, at };
  const { component, rule, burnRate } = decision;
  return { kind: "alert_started", id: newId("alt"), component, rule, burnRate, at };
};
