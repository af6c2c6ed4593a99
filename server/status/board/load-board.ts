import { listOperatorEmails } from "../../data/operators/operators.ts";
import { readStatusBoard } from "../../data/status/status-board.ts";
import type { Deps } from "../../deps/deps.ts";
import { readLatency } from "../../platform/metrics/read-latency.ts";
import { type Board, type DayFigures, retentionMilliseconds } from "../rules/board.ts";
import { type ComponentKey, isComponentKey } from "../rules/components.ts";
import { latencyTargets } from "../rules/uptime/latency.ts";
import { utcMonthOf } from "../rules/uptime/utc-calendar.ts";

/** Updates are sent for a day (rules/notices.ts), so the notices of two days cover everything that is due. */
const noticesMilliseconds = 48 * 3600 * 1000;

/** Drops rows of components that no longer exist. */
const withKnownComponents = <Row extends { component: string }>(rows: Row[]): (Row & { component: ComponentKey })[] =>
  rows.filter((row): row is Row & { component: ComponentKey } => isComponentKey(row.component));

type BoardDeps = Pick<Deps, "db" | "clock">;

const loadLatency = async (deps: BoardDeps): Promise<Board["latency"]> => {
  const since = new Date(utcMonthOf(deps.clock.now().getTime()).from);
  const measured = await readLatency(deps, { since, groups: latencyTargets.map(({ operations }) => operations) });
  return {
    since,
    endpoints: latencyTargets.flatMap(({ endpoint }, index) => {
      const { requests = 0, p95 = null, p99 = null } = measured[index] ?? {};
      return requests === 0 ? [] : [{ endpoint, requests, p95, p99 }];
    }),
  };
};

const latencyMilliseconds = 120_000;

/**
 * Creates a function that reads the board. It is called every few seconds, but reads the month's latency less often,
 * because the latency is computed from many rows.
 */
export const createBoardReader = (deps: BoardDeps): (() => Promise<Board>) => {
  let known: { at: number; latency: Board["latency"] } | null = null;
  return async () => {
    const at = deps.clock.now().getTime();
    if (known === null || at - known.at >= latencyMilliseconds) known = { at, latency: await loadLatency(deps) };
    return loadBoard(deps, known.latency);
  };
};

/** @throws if the database can't be reached. */
export const loadBoard = async (deps: BoardDeps, latency?: Board["latency"]): Promise<Board> => {
  const { db, clock } = deps;
  const now = clock.now();
  const rows = await readStatusBoard(db, {
    since: new Date(now.getTime() - retentionMilliseconds),
    noticesSince: new Date(now.getTime() - noticesMilliseconds),
  });
  return {
    readAt: now,
    changes: withKnownComponents(rows.changes),
    heartbeats: withKnownComponents(rows.heartbeats),
    days: withKnownComponents(rows.days).map((day) => ({ ...day, figures: day.figures as DayFigures })),
    incidents: rows.incidents.map((incident) => ({
      ...incident,
      components: withKnownComponents(incident.components),
    })),
    maintenances: rows.maintenances.map((one) => ({ ...one, components: one.components.filter(isComponentKey) })),
    alerts: withKnownComponents(rows.alerts).map((alert) => ({ ...alert, burnRate: alert.burnRate.toNumber() })),
    subscribers: rows.subscribers.flatMap(({ confirmedAt, ...one }) =>
      confirmedAt === null ? [] : [{ ...one, confirmedAt, components: one.components.filter(isComponentKey) }],
    ),
    notices: rows.notices,
    operatorEmails: await listOperatorEmails(db.sql),
    latency: latency ?? (await loadLatency(deps)),
  };
};
