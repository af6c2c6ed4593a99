import { appendComponentDays } from "../../data/status/component-days.ts";
import type { Deps } from "../../deps/deps.ts";
import { loadBoard } from "../board/load-board.ts";
import type { Board, ComponentDay } from "../rules/board.ts";
import { type ComponentKey, components } from "../rules/components.ts";
import { withStartedMaintenances } from "../rules/maintenance/started-maintenances.ts";
import { measuredSince, timelineOf } from "../rules/uptime/component-timeline.ts";
import { daysToFreeze, figuresOf, firstPreviousHash, hashOfDay } from "../rules/uptime/days.ts";
import { utcMonthOf } from "../rules/uptime/utc-calendar.ts";

/**
 * Freezes every day that ended at least an hour ago, each chained to the previous one. Replay the journal first: later
 * records don't change a frozen day. Each day is frozen once, even with concurrent callers.
 * @returns how many days were frozen.
 */
export const freezeDays = async (deps: Pick<Deps, "db" | "clock">): Promise<number> => {
  const now = deps.clock.now();
  const board = withStartedMaintenances(await loadBoard(deps), now);
  const chains = components.map(({ key }) => ({
    lastHash: lastDayOf(board, key)?.hash,
    days: unfrozenDays(board, key, now),
  }));
  if (chains.every(({ days }) => days.length === 0)) return 0;
  const written = await appendComponentDays(deps.db, (lastHashes) =>
    chains.flatMap(({ lastHash, days }) => {
      const [first] = days;
      // Another caller has frozen days since the board was read: keep those.
      return first && lastHashes.get(first.component) === lastHash ? days : [];
    }),
  );
  return written.length;
};

const lastDayOf = (board: Board, component: ComponentKey): ComponentDay | undefined =>
  board.days.findLast((day) => day.component === component);

const unfrozenDays = (board: Board, component: ComponentKey, now: Date): ComponentDay[] => {
  const last = lastDayOf(board, component);
  const firstKnown = measuredSince(board, component);
  const due = daysToFreeze({ lastFrozen: last?.day ?? null, firstKnown }, now.getTime());
  const [first] = due;
  if (!first) return [];
  const timeline = timelineOf(board, component, { from: utcMonthOf(first.from).from, to: now.getTime() });
  let previousHash = last?.hash ?? firstPreviousHash;
  return due.map((span) => {
    const day = { component, day: new Date(span.from), figures: figuresOf(timeline, span), previousHash };
    previousHash = hashOfDay(day);
    return { ...day, hash: previousHash, frozenAt: now };
  });
};
