import type { Tx } from "../../data/client.ts";
import { appendComponentDays, listFrozenUntil } from "../../data/status/component-days.ts";
import type { DayFigures } from "../rules/board.ts";
import { isComponentKey } from "../rules/components.ts";
import { firstPreviousHash, hashOfDay } from "../rules/uptime/days.ts";
import { dayMilliseconds, utcDaysOf } from "../rules/uptime/utc-calendar.ts";

type Input = { component: string; month: { from: Date; to: Date }; downMilliseconds: number; frozenAt: Date };

/**
 * Fills a month in a database without a status page, in the caller's transaction. The month starts with an outage.
 * Earlier days that are missing become days without an outage, so that the hash chain has no gap.
 * @returns how many days were added; null if a day of this month or a later one exists.
 */
export const appendTestMonth = async (tx: Tx, input: Input): Promise<number | null> => {
  const { component, month, downMilliseconds, frozenAt } = input;
  if (!isComponentKey(component)) throw new Error(`${component} is not a component`);
  const last = (await listFrozenUntil(tx.sql)).find((one) => one.component === component)?.lastDay ?? null;
  const from = last === null ? month.from.getTime() : last.getTime() + dayMilliseconds;
  if (from > month.from.getTime()) return null;
  const rows = await appendComponentDays({ transaction: (work) => work(tx) }, (lastHashes) => {
    let previousHash = lastHashes.get(component) ?? firstPreviousHash;
    let left = downMilliseconds;
    return utcDaysOf({ from, to: month.to.getTime() }).map((span) => {
      const down = span.from < month.from.getTime() ? 0 : Math.min(left, dayMilliseconds);
      left -= down;
      const day = { component, day: new Date(span.from), figures: figuresWith(down), previousHash };
      previousHash = hashOfDay(day);
      return { ...day, hash: previousHash, frozenAt };
    });
  });
  return rows.length;
};

const figuresWith = (down: number): DayFigures => {
  const up = dayMilliseconds - down;
  const counted = { up, down, excluded: 0, unmeasured: 0 };
  return {
    operational: up,
    degraded: 0,
    partial_outage: 0,
    major_outage: down,
    maintenance: 0,
    unknown: 0,
    ...counted,
  };
};
