import type { Board, ComponentChange, Maintenance } from "./board.ts";

/**
 * Maintenance begins when it was announced to, whether or not the worker that writes so is there: it may be what is being
 * maintained. Once it was written the board says the same by itself.
 */
export const withBegunMaintenances = (board: Board, now: Date): Board => {
  const isBegun = ({ state, scheduledFrom }: Maintenance) => state === "scheduled" && scheduledFrom <= now;
  const begun = board.maintenances.filter(isBegun);
  if (begun.length === 0) return board;
  const said = begun.flatMap(({ id, components, scheduledFrom, actor }) =>
    components.map(
      (component): ComponentChange => ({
        ...{ id: `${id}.${component}`, component, source: "operator", subject: id, state: "maintenance" },
        ...{ at: scheduledFrom, reason: "As announced", actor },
      }),
    ),
  );
  return {
    ...board,
    changes: [...board.changes, ...said].sort((left, right) => left.at.getTime() - right.at.getTime()),
    maintenances: board.maintenances.map((one) =>
      isBegun(one) ? { ...one, state: "in_progress", startedAt: one.scheduledFrom } : one,
    ),
  };
};
