import type { ComponentKey } from "./components.ts";

export type ComponentState = "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance" | "unknown";

type StatusSource = "probe" | "operator" | "cascade";

/** From `at` on, the source reports this state for the component. One component, source and subject form a track. */
export type ComponentChange = {
  id: string;
  component: ComponentKey;
  source: StatusSource;
  /** id of the incident or maintenance window that it belongs to; empty: none */
  subject: string;
  state: ComponentState;
  at: Date;
  reason: string;
  actor: string;
};

/** Time of the last probe: the probe's track ends here, and later time is unknown. */
type ComponentHeartbeat = { component: ComponentKey; at: Date };

export type IncidentState = "draft" | "investigating" | "identified" | "monitoring" | "resolved" | "dismissed";
export type IncidentImpact = "none" | "minor" | "major" | "critical";

/** `sequence` counts from 1 per incident or maintenance. */
type Update<State> = { id: string; sequence: number; state: State; text: string; actor: string; at: Date };

type Postmortem = {
  summary: string;
  timeline: string;
  causes: string;
  publishedAt: Date | null;
  author: string;
  updatedAt: Date;
  /** `dueOn` is a UTC day */
  actions: { id: string; title: string; owner: string; dueOn: Date; doneAt: Date | null }[];
};

export type Incident = {
  id: string;
  title: string;
  state: IncidentState;
  impact: IncidentImpact;
  source: StatusSource;
  openedBy: string;
  startedAt: Date;
  /** null: a draft, or dismissed before it became public */
  publicAt: Date | null;
  resolvedAt: Date | null;
  createdAt: Date;
  /** the worst state of each component during the incident */
  components: { component: ComponentKey; state: ComponentState }[];
  updates: Update<IncidentState>[];
  postmortem: Postmortem | null;
};

export type MaintenanceState = "scheduled" | "in_progress" | "completed" | "cancelled";

export type Maintenance = {
  id: string;
  title: string;
  state: MaintenanceState;
  components: ComponentKey[];
  announcedAt: Date;
  scheduledFrom: Date;
  scheduledTo: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  actor: string;
  updates: Update<MaintenanceState>[];
};

/** Milliseconds of a UTC day, by state and by how the time counts (uptime.ts). */
export type DayFigures = Record<ComponentState | "up" | "down" | "excluded" | "unmeasured", number>;
export type ComponentDay = {
  component: ComponentKey;
  day: Date;
  figures: DayFigures;
  previousHash: string;
  hash: string;
  frozenAt: Date;
};

export type AlertRule = "page_fast" | "page_slow" | "ticket";
type StatusAlert = {
  id: string;
  component: ComponentKey;
  rule: AlertRule;
  burnRate: number;
  startedAt: Date;
  endedAt: Date | null;
};

/** Receives updates. Its address and secret are sealed. */
export type Subscriber = {
  id: string;
  kind: "email" | "webhook";
  addressHash: string;
  addressSealed: Uint8Array;
  secretSealed: Uint8Array | null;
  /** empty: all */
  components: ComponentKey[];
  confirmedAt: Date;
};

/** Delivery of one update to one subscriber. */
export type Notice = {
  subscriberId: string;
  updateId: string;
  createdAt: Date;
  attempts: number;
  sentAt: Date | null;
  abandonedAt: Date | null;
  problem: string | null;
};

/** Latency of an endpoint that has a target, in milliseconds; null: longer than can be measured. */
type EndpointLatency = { endpoint: string; requests: number; p95: number | null; p99: number | null };

/** The status page keeps 13 months. */
export const retentionMilliseconds = 396 * 24 * 3600 * 1000;

/** Everything that pages, feeds and APIs show. It also includes drafts, which they leave out. */
export type Board = {
  /** when the database was read; for a snapshot, when it was taken */
  readAt: Date;
  /** oldest first; each track begins with its last change before the retained period */
  changes: ComponentChange[];
  heartbeats: ComponentHeartbeat[];
  days: ComponentDay[];
  /** newest first */
  incidents: Incident[];
  /** newest first */
  maintenances: Maintenance[];
  /** newest first */
  alerts: StatusAlert[];
  /** confirmed subscriptions */
  subscribers: Subscriber[];
  /** of the last two days */
  notices: Notice[];
  /** recipients of alerts; never published */
  operatorEmails: string[];
  /** of this UTC month, at most a few minutes old */
  latency: { since: Date; endpoints: EndpointLatency[] };
};

export const emptyBoard = (readAt: Date): Board => ({
  readAt,
  changes: [],
  heartbeats: [],
  days: [],
  incidents: [],
  maintenances: [],
  alerts: [],
  subscribers: [],
  notices: [],
  operatorEmails: [],
  latency: { since: readAt, endpoints: [] },
});
