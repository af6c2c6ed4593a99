import type { Board, Incident, Maintenance } from "../rules/board.ts";
import { type ComponentKey, componentName } from "../rules/components.ts";
import { isPublicIncident, type PublicUpdate, publicUpdates } from "../rules/feeds/public-updates.ts";
import { utcMonthOf } from "../rules/uptime/utc-calendar.ts";

type PublicEvent<Event> = { event: Event; componentNames: string[]; updates: PublicUpdate[] };
export type PublicIncident = PublicEvent<Incident>;
export type PublicMaintenance = PublicEvent<Maintenance>;

type Events = Pick<Board, "incidents" | "maintenances">;

/** Public incidents and maintenance with their updates, newest first. */
export const listPublicEvents = (board: Events): { incidents: PublicIncident[]; maintenances: PublicMaintenance[] } => {
  const updates = Map.groupBy(publicUpdates(board), ({ about }) => about.id);
  return {
    incidents: board.incidents.filter(isPublicIncident).map((event) => ({
      event,
      componentNames: event.components.map(({ component }) => componentName(component)),
      updates: updates.get(event.id) ?? [],
    })),
    maintenances: board.maintenances.map((event) => ({
      event,
      componentNames: event.components.map(componentName),
      updates: updates.get(event.id) ?? [],
    })),
  };
};

const maintenanceAheadMilliseconds = 14 * 24 * 3600 * 1000;

/** Open incidents, maintenance in progress, and maintenance of the next two weeks. */
export const listCurrentEvents = (board: Events, now: Date) => {
  const { incidents, maintenances } = listPublicEvents(board);
  const horizon = now.getTime() + maintenanceAheadMilliseconds;
  return {
    incidents: incidents.filter(({ event }) => event.state !== "resolved"),
    maintenances: maintenances
      .filter(
        ({ event: { state, scheduledFrom } }) =>
          state === "in_progress" || (state === "scheduled" && scheduledFrom.getTime() <= horizon),
      )
      .toSorted((left, right) => left.event.scheduledFrom.getTime() - right.event.scheduledFrom.getTime()),
  };
};

/** Events whose start, or planned start, is in the UTC month of `at`, newest first. @param component null: all. */
export const listMonthEvents = (board: Events, at: Date, component: ComponentKey | null = null) => {
  const { from, to } = utcMonthOf(at.getTime());
  const isIn = (instant: Date) => instant.getTime() >= from && instant.getTime() < to;
  const { incidents, maintenances } = listPublicEvents(board);
  const concerns = (keys: readonly ComponentKey[]) => component === null || keys.includes(component);
  return {
    incidents: incidents.filter(
      ({ event }) => isIn(event.startedAt) && concerns(event.components.map((one) => one.component)),
    ),
    maintenances: maintenances.filter(
      ({ event }) => isIn(event.startedAt ?? event.scheduledFrom) && concerns(event.components),
    ),
  };
};
