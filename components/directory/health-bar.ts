import type { HealthView } from "#server/directory/health/find-health.ts";
import { formatPublicDate } from "../format/public-dates.ts";
import type { DayBar } from "../ui/chart/day-bars.tsx";

/** `21 November 2026: up 92% of the time, 84 ms on average` */
export const healthBar = ({ day, up, down, latencySumMs }: HealthView["days"][number]): DayBar => {
  const date = formatPublicDate(new Date(`${day}T00:00:00Z`));
  if (up + down === 0) return { day, look: "unknown", text: `${date}: no data` };
  const latency = up === 0 ? "" : `, ${Math.round(latencySumMs / up)} ms on average`;
  return {
    day,
    look: down === 0 ? "good" : up === 0 ? "bad" : "warn",
    text: `${date}: up ${Math.round((100 * up) / (up + down))}% of the time${latency}`,
  };
};
