import { readStatusBoard } from "../data/status-board.ts";
import type { Deps } from "../deps.ts";
import { type Board, type DayFigures, keptMilliseconds } from "./rules/board.ts";
import { type ComponentKey, isComponentKey } from "./rules/components.ts";

/** Nobody is told of anything older than a day (rules/notices.ts): notices of two days say what became of all that is due. */
const noticesMilliseconds = 48 * 3600 * 1000;

/** Rows of a component that is no more are not told. */
const ofComponents = <Row extends { component: string }>(rows: Row[]): (Row & { component: ComponentKey })[] =>
  rows.filter((row): row is Row & { component: ComponentKey } => isComponentKey(row.component));

/** Reads the board anew. @throws where the database can't be reached. */
export const loadBoard = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<Board> => {
  const now = clock.now();
  const rows = await readStatusBoard(db, {
    since: new Date(now.getTime() - keptMilliseconds),
    noticesSince: new Date(now.getTime() - noticesMilliseconds),
  });
  return {
    readAt: now,
    changes: ofComponents(rows.changes),
    heartbeats: ofComponents(rows.heartbeats),
    days: ofComponents(rows.days).map((day) => ({ ...day, figures: day.figures as DayFigures })),
    incidents: rows.incidents.map((incident) => ({ ...incident, components: ofComponents(incident.components) })),
    maintenances: rows.maintenances.map((one) => ({ ...one, components: one.components.filter(isComponentKey) })),
    alerts: ofComponents(rows.alerts).map((alert) => ({ ...alert, burnRate: alert.burnRate.toNumber() })),
    subscribers: rows.subscribers.flatMap(({ confirmedAt, ...one }) =>
      confirmedAt === null ? [] : [{ ...one, confirmedAt, components: one.components.filter(isComponentKey) }],
    ),
    notices: rows.notices,
  };
};
