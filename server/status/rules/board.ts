import type { ComponentKey } from "./components.ts";

export type ComponentState = "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance" | "unknown";

type StatusSource = "probe" | "operator" | "cascade";

/** From `at` on, this source says that the component is in this state. One component, source and subject are a track. */
export type ComponentChange = {
  id: string;
  component: ComponentKey;
  source: StatusSource;
  /** id of the incident or maintenance that it belongs to; empty: none */
  subject: string;
  state: ComponentState;
  at: Date;
  reason: string;
  actor: string;
};

/** The last probe: its track covers time up to here; behind it nothing is known. */
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
  /** null: a draft, or dismissed before anybody was told */
  publicAt: Date | null;
  resolvedAt: Date | null;
  createdAt: Date;
  /** the worst state of each in its course */
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

/** Milliseconds of a finished UTC day: by the state that was shown, and by how they count (uptime.ts). */
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

/** Who is told of updates; addresses and secrets are sealed. */
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

/** What became of telling one subscriber of one update. */
export type Notice = {
  subscriberId: string;
  updateId: string;
  createdAt: Date;
  attempts: number;
  sentAt: Date | null;
  givenUpAt: Date | null;
  problem: string | null;
};

/** How long the answers of an endpoint took that has a target, in milliseconds; null: longer than can be measured. */
type EndpointLatency = { endpoint: string; requests: number; p95: number | null; p99: number | null };

/** How much of the past the status page tells: 13 months. */
export const retentionMilliseconds = 396 * 24 * 3600 * 1000;

/** All that pages, feeds and APIs tell; drafts are among it and are left out by whoever tells. */
export type Board = {
  /** of the database, or of the snapshot where that couldn't be read */
  readAt: Date;
  /** oldest first; each track begins with its last change from before the time that is kept */
  changes: ComponentChange[];
  heartbeats: ComponentHeartbeat[];
  days: ComponentDay[];
  /** newest first */
  incidents: Incident[];
  /** newest first */
  maintenances: Maintenance[];
  /** newest first */
  alerts: StatusAlert[];
  /** those who confirmed */
  subscribers: Subscriber[];
  /** of the last two days */
  notices: Notice[];
  /** who is paged; told to nobody */
  operatorEmails: string[];
  /** of this UTC month, a few minutes late at the most */
  latency: { since: Date; endpoints: EndpointLatency[] };
};

/** Nothing is known yet. */
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
