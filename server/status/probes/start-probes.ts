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
  /** opens an automatic incident as a draft while an operator can confirm it; otherwise it is published immediately */
  incidentsAreDrafts: boolean;
  runChecks: () => Promise<CheckResult[]>;
};

type Watcher = Pick<StatusDeps, "board" | "journal" | "clock" | "log">;
type Starter = Watcher & Pick<StatusDeps, "productionUrl">;

/** Longer than any single run of the checks. */
const slowestRunMilliseconds = 15_000;
/** With a longer delay of the event loop, responses may have arrived in time and been read too late. */
const tolerableDelayMilliseconds = 1_000;
const recheckMilliseconds = 2_000;
const startPauseMilliseconds = 1_000;

/** Runs probes until stopped; each run is written to the journal. */
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
      // The run writes no heartbeat. If the gap between two heartbeats gets too long, its time is recorded as unknown.
      deps.log.error({ err: error }, "probe run failed");
    }
    const jittered = (options.intervalMilliseconds * randomInt(90, 111)) / 100;
    await sleep(Math.max(0, jittered - (performance.now() - startedAt)), undefined, { signal }).catch(() => {});
  }
};

/**
 * Waits until production is ready, for at most two intervals: all processes start at the same time, and responses that
 * are missing only because production is still starting must not count.
 */
const untilAnswered = async ({ productionUrl }: Starter, options: Options, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + 2 * options.intervalMilliseconds;
  while (!signal.aborted && performance.now() < deadline) {
    const patience = AbortSignal.timeout(startPauseMilliseconds);
    const isReady = await visit(`${productionUrl}/readyz`, { signal: patience }).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) return;
    await sleep(startPauseMilliseconds, undefined, { signal }).catch(() => {});
  }
};

/** Runs all checks once, and writes changes, incidents and alerts to the journal. */
export const probeOnce = async (deps: Watcher, options: Options, recent: RecentRuns): Promise<RecentRuns> => {
  const { clock, journal, log } = deps;
  const at = clock.now();
  let wasPaused = false;
  const observeOnce = async () => {
    const { value, delayMilliseconds } = await measureEventLoopDelay(options.runChecks);
    wasPaused ||= delayMilliseconds > slowestRunMilliseconds;
    const isLate = delayMilliseconds > tolerableDelayMilliseconds;
    if (isLate)
      log.warn({ delayMilliseconds }, "the event loop was delayed during a probe run: missing responses are ignored");
    const isKnown = (component: ComponentKey) => wasSeenWorking(deps.board(), component);
    return observe(isLate ? withoutUnreliableResults(value, isKnown) : value, isKnown);
  };
  let observed = await observeOnce();
  if (needsRecheck(deps.board(), observed)) {
    await sleep(Math.min(recheckMilliseconds, options.intervalMilliseconds / 4));
    observed = combineRuns(deps.board(), observed, await observeOnce());
  }
  if (wasPaused) {
    // Nothing was measured during this time. There is no heartbeat, so the next run records a long gap as unknown.
    log.warn({}, "this process was paused during a probe run");
    return recent;
  }
  const gapMilliseconds = 2 * options.intervalMilliseconds + slowestRunMilliseconds;
  const changes = probeChanges(deps.board(), observed, { at, gapMilliseconds });
  const probed: JournalRecord[] = [
    ...changes.map(changeRecord),
    { kind: "heartbeat", id: newId("cch"), at: clock.now(), components: observed.map(({ component }) => component) },
  ];
  const cascaded = cascadeChanges(withRecords(deps.board(), probed), at);
  // All records are appended together, so that no reader sees the changes without their effects on other components.
  await journal.append([...probed, ...cascaded.map(changeRecord)]);
  for (const { component, state, reason } of [...changes, ...cascaded]) {
    // Unknown is a gap in the measurements, as after each restart, and not an outage.
    const level = state === "operational" || state === "unknown" ? "info" : "warn";
    log[level]({ component, state, reason }, "component state changed");
  }
  const runs = withRun(recent, observed);
  const isDraft = options.incidentsAreDrafts && isConfirmable(deps.board(), clock.now());
  const decision = decideIncident(withoutHiddenDrafts(deps.board(), isDraft), runs, { observed, now: clock.now() });
  if (decision) {
    const record = incidentRecord(decision, { at: clock.now(), isDraft });
    await journal.append([record]);
    log.warn({ incident: record.kind === "incident_opened" ? record.id : record.incidentId }, record.text);
  }
  const alerts = decideAlerts(deps.board(), clock.now());
  if (alerts.length > 0) await journal.append(alerts.map((alert) => alertRecord(alert, clock.now())));
  return runs;
};

/** While operators can't see drafts, a failure opens a public incident even if there is a draft about it. */
const withoutHiddenDrafts = (board: Board, isDraft: boolean): Board =>
  isDraft ? board : { ...board, incidents: board.incidents.filter(({ state }) => state !== "draft") };

const changeRecord = (change: NewComponentChange): JournalRecord => ({ kind: "change", id: newId("cch"), ...change });

const incidentRecord = (decision: IncidentDecision, { at, isDraft }: { at: Date; isDraft: boolean }) => {
  if (decision.act === "open") {
    const { act: _, ...opened } = decision;
    return { kind: "incident_opened", id: newId("inc"), updateId: newId("upd"), isDraft, at, ...opened } as const;
  }
  const { incident, state, text, components } = decision;
  return { kind: "incident_updated", id: newId("upd"), incidentId: incident.id, state, text, at, components } as const;
};

const alertRecord = (decision: AlertDecision, at: Date): JournalRecord => {
  if (decision.act === "end") return { kind: "alert_ended", id: newId("alt"), alertId: decision.alertId, at };
  const { component, rule, burnRate } = decision;
  return { kind: "alert_started", id: newId("alt"), component, rule, burnRate, at };
};
