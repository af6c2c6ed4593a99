import type { Board, ComponentChange, Maintenance } from "../board.ts";

/** It was announced to begin by now, and nothing says that it did. */
export const hasStartedUnrecorded = ({ state, scheduledFrom }: Maintenance, now: Date): boolean =>
  state === "scheduled" && scheduledFrom <= now;

/**
 * Maintenance begins when it was announced to, whether or not the worker that writes so is there: it may be what is being
 * maintained. Once it was written the board says the same by itself.
 */
export const withStartedMaintenances = (board: Board, now: Date): Board => {
  const begun = board.maintenances.filter((one) => hasStartedUnrecorded(one, now));
  if (begun.length === 0) return board;
  const said = begun.flatMap(({ id, components, scheduledFrom, actor }) =>
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
    changes: [...board.changes, ...said].sort((left, right) => left.at.getTime() - right.at.getTime()),
    maintenances: board.maintenances.map((one) =>
      hasStartedUnrecorded(one, now) ? { ...one, state: "in_progress", startedAt: one.scheduledFrom } : one,
    ),
  };
};
