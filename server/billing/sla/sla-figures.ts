import { insertSlaFigures, listSlaFigures, type SlaFigureRow } from "../../data/billing/sla/sla-figures.ts";
import type { Sql } from "../../data/client.ts";
import type { Config } from "../../deps/config.ts";
import { loadMonthUptime } from "../../status/uptime/load-month-uptime.ts";
import { slaComponents, slaPercentOf } from "../rules/sla/sla-credits.ts";
import { slaPageOf } from "../rules/sla/sla-months.ts";
import type { Period } from "../rules/usage-period.ts";

type Input = { config: Pick<Config, "environment" | "statusUrl">; month: Period; at: Date };

/**
 * The uptime of the components that serve meters, computed once from the frozen days of the month.
 * @returns null while a day of the month isn't frozen yet. The sandbox doesn't wait: it has only the days that were
 *   recorded for tests.
 */
export const loadSlaFigures = async (sql: Sql, { config, month, at }: Input): Promise<SlaFigureRow[] | null> => {
  const known = await listSlaFigures(sql, month.from);
  if (known.length > 0) return known;
  const { isComplete, figures } = await loadMonthUptime(sql, { month, components: slaComponents });
  if (!isComplete && config.environment === "production") return null;
  if (figures.length === 0) return [];
  await insertSlaFigures(sql, {
    month: month.from,
    at,
    figures: figures.map(({ objective, ...figure }) => ({
      ...figure,
      creditPercent: slaPercentOf(figure.uptime, objective),
      page: slaPageOf(config.statusUrl, figure.component, month.from),
    })),
  });
  return listSlaFigures(sql, month.from);
};
