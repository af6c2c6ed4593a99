import type { Board, ComponentChange, Maintenance } from "../board.ts";

/** Whether the window has begun although the start isn't recorded. */
export const hasStartedUnrecorded = ({ state, scheduledFrom }: Maintenance, now: Date): boolean =>
  state === "scheduled" && scheduledFrom <= now;

/**
 * Maintenance starts when its window begins, even if the worker that records the start is down: it may be down because
 * of this maintenance. Once the start is recorded, this changes nothing.
 */
export const withStartedMaintenances = (board: Board, now: Date): Board => {
  const started = board.maintenances.filter((one) => hasStartedUnrecorded(one, now));
  if (started.length === 0) return board;
  const changes = started.flatMap(({ id, components, scheduledFrom, actor }) =>
    components.map(
      (component): ComponentChange => ({
        id: `${id}.${component}`,
        component,
        source: "operator",
        subject: id,
        state: "maintenance",
        at: scheduledFrom,
        reason: "As announced",
        actor,
      }),
    ),
  );
  return {
    ...board,
    changes: [...board.changes, ...changes].sort((left, right) => left.at.getTime() - right.at.getTime()),
    maintenances: board.maintenances.map((one) =>
      hasStartedUnrecorded(one, now) ? { ...one, state: "in_progress", startedAt: one.scheduledFrom } : one,
    ),
  };
};
