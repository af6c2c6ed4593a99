import type { Board } from "../rules/board.ts";
import { type PublicUpdate, publicUpdates } from "../rules/feeds/public-updates.ts";
import { firstAt, statuspageComponentStatus, statuspageIndicator } from "../rules/statuspage.ts";
import { measuredSince } from "../rules/uptime/component-timeline.ts";
import { listCurrentEvents, type PublicIncident, type PublicMaintenance } from "./list-public-events.ts";
import type { Statuspage, StatuspageComponent, StatuspageIncident, StatuspageMaintenance } from "./statuspage.wire.ts";
import { deployedOrAll, summarizeComponents, summarizeOverall } from "./summarize-components.ts";

const pageId = "paygrant";

/** The summary in the format of Atlassian Statuspage's status API v2. */
export const toStatuspageSummary = (board: Board, now: Date, statusUrl: string): Statuspage => {
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
  const { incidents, maintenances } = listCurrentEvents(board, now);
  // The update may belong to a closed incident, although the summary doesn't list closed incidents.
  const updated = publicUpdates(board).find(({ at }) => at <= now);
  const changes = [...components.map(({ updated_at }) => updated_at), ...(updated ? [updated.at.toISOString()] : [])];
  return {
    page: {
      id: pageId,
      name: "Paygrant",
      url: statusUrl,
      time_zone: "Etc/UTC",
      updated_at: changes.sort().at(-1) ?? board.readAt.toISOString(),
    },
    status: { indicator: statuspageIndicator(overall.state), description: overall.description },
    components,
    incidents: incidents.map((incident) => toIncident(incident, { components, statusUrl })),
    scheduled_maintenances: maintenances.map((maintenance) => toMaintenance(maintenance, { components, statusUrl })),
  };
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
    resolved_at: null,
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
