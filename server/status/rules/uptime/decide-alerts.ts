import type { AlertRule, Board } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { burningRules } from "./burn.ts";
import { timelineOf, timelineStart } from "./component-timeline.ts";
import { tally } from "./uptime.ts";

export type AlertDecision =
  | { act: "start"; component: ComponentKey; rule: AlertRule; burnRate: number }
  | { act: "end"; alertId: string };

/** The longest window of a burn rate. */
const longestDays = 3;

/** Alerts to start and to end: an alert starts when its rule begins to fire, and ends when the rule no longer fires. */
export const decideAlerts = (board: Board, now: Date): AlertDecision[] =>
  components.flatMap(({ key, objective }): AlertDecision[] => {
    if (objective === null) return [];
    const until = now.getTime();
    const { counted } = timelineOf(board, key, { from: timelineStart(until, longestDays), to: until });
    const burning = burningRules({ tallyOf: (window) => tally(counted, window), objective }, until);
    const open = board.alerts.filter(({ component, endedAt }) => component === key && endedAt === null);
    const begun = burning.filter(({ rule }) => open.every((alert) => alert.rule !== rule));
    const over = open.filter((alert) => burning.every(({ rule }) => rule !== alert.rule));
    return [
      ...begun.map((one) => ({ act: "start" as const, component: key, ...one })),
      ...over.map(({ id }) => ({ act: "end" as const, alertId: id })),
    ];
  });
