import { z } from "zod";
import {
  checkedAt,
  componentId,
  exampleTimes,
  instant,
  milliseconds,
  objective,
  percent,
  state,
} from "./status-fields.wire.ts";

const impact = z.enum(["none", "minor", "major", "critical"]);

const update = z.object({ id: z.string(), state: z.string(), text: z.string(), at: instant });

const postmortem = z.object({
  summary: z.string(),
  timeline: z.string(),
  causes: z.string(),
  published_at: instant,
  actions: z.array(
    z.object({ title: z.string(), owner: z.string(), due_on: z.iso.date(), done_at: instant.nullable() }),
  ),
});

const incident = z.object({
  id: z.string(),
  title: z.string(),
  state: z.string(),
  impact,
  url: z.url(),
  started_at: instant,
  resolved_at: instant.nullable(),
  components: z.array(z.object({ id: componentId, state: state.describe("The worst state during the incident") })),
  updates: z.array(update).describe("Newest first"),
  postmortem: postmortem.nullable(),
});

const maintenance = z.object({
  id: z.string(),
  title: z.string(),
  state: z.string(),
  url: z.url(),
  components: z.array(componentId),
  announced_at: instant,
  scheduled_from: instant,
  scheduled_to: instant,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  updates: z.array(update).describe("Newest first"),
});

const presentComponent = z.object({
  id: componentId,
  name: z.string(),
  state,
  since: instant,
  deployed: z
    .boolean()
    .describe(
      "False if this installation doesn't have the component; then the component has no days, figures or budget",
    ),
  affected_by: z.array(z.string()).describe("Names of components whose outages affect this one"),
});

const examplePresent = {
  id: "authorization_server" as const,
  name: "Authorization server",
  state: "operational" as const,
  since: "2026-11-18T04:02:11.000Z",
  deployed: true,
  affected_by: [],
};
const exampleIncident = {
  id: "inc_8Yb2",
  title: "Charges are slow",
  state: "identified",
  impact: "minor" as const,
  url: "https://status.example.com/status/incidents/inc_8Yb2",
  resolved_at: null,
  postmortem: null,
  started_at: "2026-11-21T09:41:00.000Z",
  components: [{ id: "billing_engine" as const, state: "degraded" as const }],
  updates: [{ id: "upd_1", state: "identified", text: "A roll-up job fell behind.", at: "2026-11-21T09:58:00.000Z" }],
};
const exampleMaintenance = {
  id: "mtn_3Kd9",
  title: "Weekly reset of the sandbox",
  state: "scheduled",
  components: ["sandbox" as const],
  url: "https://status.example.com/status/maintenance/mtn_3Kd9",
  started_at: null,
  ended_at: null,
  announced_at: "2026-11-15T03:10:00.000Z",
  scheduled_from: "2026-11-22T03:00:00.000Z",
  scheduled_to: "2026-11-22T03:30:00.000Z",
  updates: [],
};

export const summarySchema = z
  .object({
    ...checkedAt,
    overall: z.object({ state, description: z.string() }),
    components: z.array(presentComponent),
    incidents: z.array(incident).describe("Incidents that aren't resolved"),
    maintenances: z.array(maintenance).describe("Maintenance in progress or within the next two weeks"),
  })
  .meta({
    example: {
      ...exampleTimes,
      overall: { state: "degraded", description: "Some components are degraded" },
      components: [examplePresent],
      incidents: [exampleIncident],
      maintenances: [exampleMaintenance],
    },
  });

export const componentsSchema = z
  .object({
    ...checkedAt,
    components: z.array(
      presentComponent.extend({
        group: z.string(),
        objective,
        depends_on: z.array(componentId),
        uptime_this_month: percent,
        days: z
          .array(z.object({ day: z.iso.date(), uptime: percent, down_ms: milliseconds, unmeasured_ms: milliseconds }))
          .describe("The last 90 UTC days, today last; empty if the component isn't deployed"),
      }),
    ),
  })
  .meta({
    example: {
      ...exampleTimes,
      components: [
        {
          ...examplePresent,
          group: "Production",
          objective: "99.9",
          depends_on: [],
          uptime_this_month: "99.98",
          days: [{ day: "2026-11-21", uptime: "100.000", down_ms: 0, unmeasured_ms: 43_200_000 }],
        },
      ],
    },
  });

export const incidentsSchema = z
  .object({
    ...checkedAt,
    incidents: z.array(incident).describe("The last 13 months, newest first"),
    maintenances: z
      .array(maintenance)
      .describe("Maintenance of the last 13 months and upcoming maintenance, newest first"),
  })
  .meta({
    example: { ...exampleTimes, incidents: [exampleIncident], maintenances: [exampleMaintenance] },
  });
