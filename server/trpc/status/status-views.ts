import type { z } from "zod";
import {
  listCurrentEvents,
  listPublicEvents,
  type PublicIncident,
  type PublicMaintenance,
} from "../../status/overview/list-public-events.ts";
import {
  type ComponentSummary,
  summarizeComponents,
  summarizeOverall,
} from "../../status/overview/summarize-components.ts";
import type { Board, DayFigures } from "../../status/rules/board.ts";
import type { ComponentKey } from "../../status/rules/components.ts";
import { components } from "../../status/rules/components.ts";
import { describeForecast, policyOf } from "../../status/rules/uptime/budget.ts";
import { type LatencyQuantile, summarizeLatency } from "../../status/rules/uptime/latency.ts";
import { type Tally, uptimePercent, uptimeRules } from "../../status/rules/uptime/uptime.ts";
import { dayText, monthText } from "../../status/rules/uptime/utc-calendar.ts";
import {
  computeRawUptime,
  computeUptime,
  type RawDay,
  type RawUptime,
  type UptimeFigure,
} from "../../status/uptime/compute-uptime.ts";
import type { componentsSchema, incidentsSchema, summarySchema } from "./status.wire.ts";
import type { errorBudgetsSchema, uptimeSchema } from "./uptime.wire.ts";

/** The data behind the public JSON of the status process. The JSON doesn't contain the authors of updates. */
type StatusSource = { board: Board; now: Date; statusUrl: string };

const iso = (instant: number): string => new Date(instant).toISOString();

const times = ({ board, now }: StatusSource) => ({
  checked_at: now.toISOString(),
  read_at: board.readAt.toISOString(),
});

const percentOf = (objective: number): string => String(objective / 100);

type Event = PublicIncident["event"] | PublicMaintenance["event"];
const updatesOf = (event: Event, updates: PublicIncident["updates"]) => {
  const states = new Map<string, string>(event.updates.map(({ id, state }) => [id, state]));
  return updates.map(({ id, text, at }) => ({ id, state: states.get(id) ?? event.state, text, at: at.toISOString() }));
};

const toPostmortem = ({ postmortem }: PublicIncident["event"]) =>
  postmortem?.publishedAt
    ? {
        summary: postmortem.summary,
        timeline: postmortem.timeline,
        causes: postmortem.causes,
        published_at: postmortem.publishedAt.toISOString(),
        actions: postmortem.actions.map(({ title, owner, dueOn, doneAt }) => ({
          title,
          owner,
          due_on: dayText(dueOn.getTime()),
          done_at: doneAt?.toISOString() ?? null,
        })),
      }
    : null;

const toIncident = ({ event, updates }: PublicIncident, { statusUrl }: StatusSource) => ({
  id: event.id,
  title: event.title,
  state: event.state,
  impact: event.impact,
  url: `${statusUrl}/status/incidents/${event.id}`,
  started_at: event.startedAt.toISOString(),
  resolved_at: event.resolvedAt?.toISOString() ?? null,
  components: event.components.map(({ component, state }) => ({ id: component, state })),
  updates: updatesOf(event, updates),
  postmortem: toPostmortem(event),
});

const toMaintenance = ({ event, updates }: PublicMaintenance, { statusUrl }: StatusSource) => ({
  id: event.id,
  title: event.title,
  state: event.state,
  components: event.components,
  url: `${statusUrl}/status/maintenance/${event.id}`,
  announced_at: event.announcedAt.toISOString(),
  scheduled_from: event.scheduledFrom.toISOString(),
  scheduled_to: event.scheduledTo.toISOString(),
  started_at: event.startedAt?.toISOString() ?? null,
  ended_at: event.endedAt?.toISOString() ?? null,
  updates: updatesOf(event, updates),
});

const toPresent = ({ key, name, state, since, isDeployed, affectedBy }: ComponentSummary) => ({
  id: key,
  name,
  state,
  since: since.toISOString(),
  deployed: isDeployed,
  affected_by: affectedBy,
});

export const toSummary = (source: StatusSource): z.infer<typeof summarySchema> => {
  const all = summarizeComponents(source.board, source.now);
  const { incidents, maintenances } = listCurrentEvents(source.board, source.now);
  return {
    ...times(source),
    overall: summarizeOverall(all),
    components: all.map(toPresent),
    incidents: incidents.map((incident) => toIncident(incident, source)),
    maintenances: maintenances.map((maintenance) => toMaintenance(maintenance, source)),
  };
};

const dependenciesOf = (key: ComponentKey): ComponentKey[] => [
  ...(components.find((component) => component.key === key)?.dependsOn ?? []),
];

export const toComponents = (source: StatusSource): z.infer<typeof componentsSchema> => ({
  ...times(source),
  components: summarizeComponents(source.board, source.now).map((component) => ({
    ...toPresent(component),
    group: component.group,
    objective: component.objective === null ? null : percentOf(component.objective),
    depends_on: dependenciesOf(component.key),
    uptime_this_month: component.uptime,
    days: component.days.map(({ day, figures }) => ({
      day: dayText(day),
      uptime: uptimePercent(figures),
      down_ms: figures.down,
      unmeasured_ms: figures.unmeasured,
    })),
  })),
});

export const toIncidents = (source: StatusSource): z.infer<typeof incidentsSchema> => {
  const { incidents, maintenances } = listPublicEvents(source.board);
  return {
    ...times(source),
    incidents: incidents.map((incident) => toIncident(incident, source)),
    maintenances: maintenances.map((maintenance) => toMaintenance(maintenance, source)),
  };
};

const toSums = ({ up, down, excluded, unmeasured }: Tally) => ({
  up_ms: up,
  down_ms: down,
  excluded_ms: excluded,
  unmeasured_ms: unmeasured,
});

const toFigure = ({ span, sums, percent }: UptimeFigure) => ({
  from: iso(span.from),
  to: iso(span.to),
  ...toSums(sums),
  uptime: percent,
});

const toStates = (figures: DayFigures) => ({
  operational_ms: figures.operational,
  degraded_ms: figures.degraded,
  partial_outage_ms: figures.partial_outage,
  major_outage_ms: figures.major_outage,
  maintenance_ms: figures.maintenance,
  unknown_ms: figures.unknown,
});

const toDay = ({ span, figures, percent, frozen, isAmended }: RawDay) => ({
  day: dayText(span.from),
  ...toStates(figures),
  ...toSums(figures),
  uptime: percent,
  amended: isAmended,
  frozen: frozen && {
    figures: frozen.figures,
    previous_hash: frozen.previousHash,
    hash: frozen.hash,
    frozen_at: frozen.frozenAt.toISOString(),
  },
});

const toRaw = ({ intervals, maintenances, days }: RawUptime) => ({
  intervals: intervals.map(({ from, to, source, subject, state }) => ({
    from: iso(from),
    to: iso(to),
    source,
    subject,
    state,
  })),
  maintenances: maintenances.map(({ id, state, announcedAt, scheduledFrom, scheduledTo }) => ({
    id,
    state,
    announced_at: announcedAt.toISOString(),
    scheduled_from: scheduledFrom.toISOString(),
    scheduled_to: scheduledTo.toISOString(),
  })),
  days: days.map(toDay),
});

/**
 * @param component limits the result to this component and adds the raw data of its figures; undefined: all components,
 *   without raw data
 */
export const toUptime = (source: StatusSource, component: ComponentKey | undefined): z.infer<typeof uptimeSchema> => ({
  ...times(source),
  rules: [...uptimeRules],
  components: computeUptime(source.board, source.now, component).map(
    ({ key, name, objective, isDeployed, known, ninetyDays, months }) => ({
      id: key,
      name,
      objective: objective === null ? null : percentOf(objective),
      deployed: isDeployed,
      measured_since: known === null ? null : iso(known.from),
      last_90_days: toFigure(ninetyDays),
      months: months.map((month) => ({
        month: monthText(month.span.from),
        ...toFigure(month),
        uptime_for_credits: month.creditPercent,
      })),
      ...(component === undefined ? {} : toRaw(computeRawUptime(source.board, source.now, key))),
    }),
  ),
});

/** Rounded to two decimals. A burn rate above 0 is at least 0.01. */
const toRate = (rate: number): number => (rate === 0 ? 0 : Math.max(Math.round(rate * 100) / 100, 0.01));

const policy =
  "Feature work continues while a component has budget left. If the budget is used up, reliability has priority until the next month.";

const toQuantile = ({ targetMilliseconds, measuredMilliseconds, isMet }: LatencyQuantile) => ({
  target_ms: targetMilliseconds,
  measured_ms: measuredMilliseconds,
  met: isMet,
});

export const toErrorBudgets = (source: StatusSource): z.infer<typeof errorBudgetsSchema> => ({
  ...times(source),
  month: monthText(source.now.getTime()),
  policy,
  components: summarizeComponents(source.board, source.now).flatMap(({ key, name, objective, uptime, budget }) =>
    objective === null || budget === null
      ? []
      : [
          {
            id: key,
            name,
            objective: percentOf(objective),
            uptime,
            allowed_ms: budget.allowed,
            used_ms: budget.used,
            left_ms: budget.left,
            used_up: budget.isUsedUp,
            policy: policyOf(budget),
            burn_rate: budget.burnRate === null ? null : toRate(budget.burnRate),
            meaning: describeForecast(budget.forecast),
          },
        ],
  ),
  latency: summarizeLatency(source.board).map(({ endpoint, requests, p95, p99 }) => ({
    endpoint,
    requests,
    p95: toQuantile(p95),
    p99: toQuantile(p99),
  })),
});
