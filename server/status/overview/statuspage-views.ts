import type { Board } from "../rules/board.ts";
import { type PublicUpdate, publicUpdates } from "../rules/feeds/public-updates.ts";
import { firstAt, statuspageComponentStatus, statuspageIndicator } from "../rules/statuspage.ts";
import { measuredSince } from "../rules/uptime/component-timeline.ts";
import {
  listCurrentEvents,
  listPublicEvents,
  type PublicIncident,
  type PublicMaintenance,
} from "./list-public-events.ts";
import type {
  Statuspage,
  StatuspageComponent,
  StatuspageIncident,
  StatuspageMaintenance,
  StatuspagePage,
  StatuspageStatus,
} from "./statuspage.wire.ts";
import { deployedOrAll, summarizeComponents, summarizeOverall } from "./summarize-components.ts";

const pageId = "paygrant";
/** Maximum length of the list of all incidents and of the list of all maintenance windows, as at Statuspage. */
const maxEvents = 50;

export type StatuspageSource = { board: Board; now: Date; statusUrl: string };

/** The parts that all responses share. */
const baseOf = ({ board, now, statusUrl }: StatuspageSource) => {
  const all = summarizeComponents(board, now);
  const overall = summarizeOverall(all);
  // Statuspage has no state for components that aren't deployed.
  const components = deployedOrAll(all).map(({ key, name, state, since }, index): StatuspageComponent => {
    const known = measuredSince(board, key);
    return {
      id: key,
      name,
      description: null,
      page_id: pageId,
      status: statuspageComponentStatus(state),
      position: index + 1,
      group_id: null,
      group: false,
      showcase: true,
      only_show_if_degraded: false,
      start_date: null,
      created_at: new Date(known ?? now.getTime()).toISOString(),
      updated_at: since.toISOString(),
    };
  });
  // The update may belong to a closed incident, although the summary doesn't list closed incidents.
  const updated = publicUpdates(board).find(({ at }) => at <= now);
  const changes = [...components.map(({ updated_at }) => updated_at), ...(updated ? [updated.at.toISOString()] : [])];
  const page: StatuspagePage = {
    id: pageId,
    name: "Paygrant",
    url: statusUrl,
    time_zone: "Etc/UTC",
    updated_at: changes.sort().at(-1) ?? board.readAt.toISOString(),
  };
  const status: StatuspageStatus = {
    indicator: statuspageIndicator(overall.state),
    description: overall.description,
  };
  return { page, status, components, statusUrl };
};

const withIncidents = (
  source: StatuspageSource,
  choose: (events: readonly PublicIncident[]) => readonly PublicIncident[],
): Statuspage["incidents"] => {
  const base = baseOf(source);
  const chosen = choose(listPublicEvents(source.board).incidents);
  return { page: base.page, incidents: chosen.map((incident) => toIncident(incident, base)) };
};

const withMaintenances = (
  source: StatuspageSource,
  choose: (events: readonly PublicMaintenance[]) => readonly PublicMaintenance[],
): Statuspage["maintenances"] => {
  const base = baseOf(source);
  const chosen = choose(listPublicEvents(source.board).maintenances);
  return { page: base.page, scheduled_maintenances: chosen.map((maintenance) => toMaintenance(maintenance, base)) };
};

/**
 * The responses of Atlassian Statuspage's status API v2. Events are listed newest first; the summary lists maintenance
 * by its planned start, earliest first.
 */
export const statuspageViews = {
  summary(source: StatuspageSource): Statuspage["summary"] {
    const base = baseOf(source);
    const { page, status, components } = base;
    const { incidents, maintenances } = listCurrentEvents(source.board, source.now);
    return {
      page,
      status,
      components,
      incidents: incidents.map((incident) => toIncident(incident, base)),
      scheduled_maintenances: maintenances.map((maintenance) => toMaintenance(maintenance, base)),
    };
  },
  status(source: StatuspageSource): Statuspage["status"] {
    const { page, status } = baseOf(source);
    return { page, status };
  },
  components(source: StatuspageSource): Statuspage["components"] {
    const { page, components } = baseOf(source);
    return { page, components };
  },
  incidents: (source: StatuspageSource) => withIncidents(source, (all) => all.slice(0, maxEvents)),
  unresolved: (source: StatuspageSource) =>
    withIncidents(source, (all) => all.filter(({ event }) => event.state !== "resolved")),
  maintenances: (source: StatuspageSource) => withMaintenances(source, (all) => all.slice(0, maxEvents)),
  active: (source: StatuspageSource) =>
    withMaintenances(source, (all) => all.filter(({ event }) => event.state === "in_progress")),
  upcoming: (source: StatuspageSource) =>
    withMaintenances(source, (all) => all.filter(({ event }) => event.state === "scheduled")),
};

type StatuspageContext = { components: readonly StatuspageComponent[]; statusUrl: string };

const toUpdates = <Status extends string>(
  updates: readonly PublicUpdate[],
  affected: readonly StatuspageComponent[],
  statusOf: (id: string) => Status,
) =>
  updates.map(({ id, about, text, at }) => ({
    id,
    incident_id: about.id,
    status: statusOf(id),
    body: text,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    display_at: at.toISOString(),
    affected_components: affected.map((component) => ({ code: component.id, name: component.name })),
  }));

const toIncident = (
  { event, updates }: PublicIncident,
  { components, statusUrl }: StatuspageContext,
): StatuspageIncident => {
  const affected = components.filter(({ id }) => event.components.some(({ component }) => component === id));
  const createdAt = (event.publicAt ?? event.createdAt).toISOString();
  return {
    id: event.id,
    name: event.title,
    page_id: pageId,
    impact: event.impact,
    status: incidentStatus(event.state),
    shortlink: `${statusUrl}/status/incidents/${event.id}`,
    created_at: createdAt,
    updated_at: updates[0]?.at.toISOString() ?? createdAt,
    started_at: event.startedAt.toISOString(),
    monitoring_at: firstAt(event.updates, "monitoring")?.toISOString() ?? null,
    resolved_at: event.resolvedAt?.toISOString() ?? null,
    components: affected,
    incident_updates: toUpdates(updates, affected, (id) =>
      incidentStatus(event.updates.find((update) => update.id === id)?.state ?? event.state),
    ),
  };
};

/** Public incidents are never drafts or dismissed. */
const incidentStatus = (state: PublicIncident["event"]["state"]): StatuspageIncident["status"] =>
  state === "draft" || state === "dismissed" ? "investigating" : state;

const toMaintenance = (
  { event, updates }: PublicMaintenance,
  { components, statusUrl }: StatuspageContext,
): StatuspageMaintenance => {
  const affected = components.filter(({ id }) => event.components.some((component) => component === id));
  const announcedAt = event.announcedAt.toISOString();
  return {
    id: event.id,
    name: event.title,
    page_id: pageId,
    impact: "maintenance" as const,
    status: maintenanceStatus(event.state),
    shortlink: `${statusUrl}/status/maintenance/${event.id}`,
    created_at: announcedAt,
    updated_at: updates[0]?.at.toISOString() ?? announcedAt,
    started_at: (event.startedAt ?? event.scheduledFrom).toISOString(),
    monitoring_at: null,
    resolved_at: event.endedAt?.toISOString() ?? null,
    scheduled_for: event.scheduledFrom.toISOString(),
    scheduled_until: event.scheduledTo.toISOString(),
    components: affected,
    incident_updates: toUpdates(updates, affected, (id) =>
      maintenanceStatus(event.updates.find((update) => update.id === id)?.state ?? event.state),
    ),
  };
};

/** Statuspage has no state for canceled maintenance. */
const maintenanceStatus = (state: PublicMaintenance["event"]["state"]): StatuspageMaintenance["status"] =>
  state === "cancelled" ? "completed" : state;
