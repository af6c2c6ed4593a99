import { formatDuration } from "#components/format/durations.ts";
import { formatPublicDate } from "#components/format/public-dates.ts";
import { formatList } from "#components/format/text.ts";
import type { ComponentView } from "#components/status/component-list.tsx";
import type { IncidentView } from "#components/status/events/incident-card.tsx";
import type { MaintenanceView } from "#components/status/events/maintenance-card.tsx";
import type { BudgetView } from "#components/status/uptime/error-budget-table.tsx";
import type { DayBar } from "#components/ui/chart/day-bars.tsx";
import type { PublicIncident, PublicMaintenance } from "#server/status/overview/list-public-events.ts";
import type { ComponentSummary } from "#server/status/overview/summarize-components.ts";
import { meaningOf, minutesText, rateValue, summarizeBudget } from "#server/status/rules/uptime/budget.ts";
import type { UnexplainedDay } from "#server/status/uptime/find-unexplained-days.ts";

/** Copies only public fields. The authors of updates are not public. */
export const incidentView = ({ event, componentNames, updates }: PublicIncident): IncidentView => ({
  id: event.id,
  title: event.title,
  state: event.state,
  impact: event.impact,
  startedAt: event.startedAt,
  resolvedAt: event.resolvedAt,
  components: event.components.map(({ component, state }, index) => ({
    key: component,
    name: componentNames[index] ?? component,
    state,
  })),
  updates,
});

export const maintenanceView = ({ event, componentNames, updates }: PublicMaintenance): MaintenanceView => ({
  id: event.id,
  title: event.title,
  state: event.state,
  announcedAt: event.announcedAt,
  scheduledFrom: event.scheduledFrom,
  scheduledTo: event.scheduledTo,
  startedAt: event.startedAt,
  endedAt: event.endedAt,
  components: componentNames,
  updates,
});

const isoDay = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** The text of a day mentions unknown time only if the unknown time is at least this long. */
const minUnknownMs = 10 * 60_000;

/** `21 November 2026: down for 12 minutes` */
const describeDay = ({ day, figures }: Pick<UnexplainedDay, "day" | "figures">): string => {
  const down = figures.partial_outage + figures.major_outage;
  const known = figures.operational + figures.degraded + figures.maintenance + down;
  const parts = [
    down > 0 ? `down for ${formatDuration(down)}` : null,
    figures.degraded > 0 ? `degraded for ${formatDuration(figures.degraded)}` : null,
    figures.maintenance > 0 ? `maintenance for ${formatDuration(figures.maintenance)}` : null,
    known > 0 && figures.unknown >= minUnknownMs ? `unknown for ${formatDuration(figures.unknown)}` : null,
  ].filter((part) => part !== null);
  const words = known === 0 ? "no data" : parts.length > 0 ? formatList(parts) : "no downtime";
  return `${formatPublicDate(new Date(day))}: ${words}`;
};

/** @param isSingle the page is about one component, so the texts don't name it */
export const unexplainedView = (days: readonly UnexplainedDay[], isSingle: boolean) =>
  days.map((one) => ({
    key: `${one.component} ${one.day}`,
    text: isSingle ? describeDay(one) : `${one.componentName}, ${describeDay(one)}`,
  }));

const barOf = ({ day, figures }: ComponentSummary["days"][number]): DayBar => {
  const down = figures.partial_outage + figures.major_outage;
  const look =
    down > 0
      ? "bad"
      : figures.degraded > 0
        ? "warn"
        : figures.maintenance > 0
          ? "note"
          : figures.unknown > figures.operational
            ? "unknown"
            : "good";
  return { day: isoDay(day), look, text: describeDay({ day, figures }) };
};

const formatPercent = (uptime: string): string => `${uptime.replace(/\.?0+$/, "")}%`;

export const componentView = (summary: ComponentSummary): ComponentView => ({
  key: summary.key,
  name: summary.name,
  group: summary.group,
  state: summary.state,
  isDeployed: summary.isDeployed,
  affectedBy:
    summary.affectedBy.length > 0 ? `Affected by an outage in production: ${formatList(summary.affectedBy)}` : null,
  days: summary.days.map(barOf),
  figure: summary.objective === null || summary.uptime === null ? null : formatPercent(summary.uptime),
  objective: summary.objective === null ? "best effort" : `objective ${summary.objective / 100}%`,
  budget: summary.budget && summarizeBudget(summary.budget, summary.budget.forecast),
});

/** No row for a component without an objective. */
export const budgetView = ({ key, name, budget }: ComponentSummary): BudgetView[] => {
  if (budget === null) return [];
  const minutes = (milliseconds: number) => `${minutesText(milliseconds)} min`;
  return [
    {
      key,
      name,
      meaning: meaningOf(budget.forecast),
      allowed: minutes(budget.allowed),
      used: minutes(budget.used),
      left: minutes(budget.left),
      burnRate: budget.burnRate === null ? null : rateValue(budget.burnRate),
    },
  ];
};
