import { z } from "zod";
import { components } from "../../status/rules/components.ts";

/** Answers of the status process as JSON. Durations are in milliseconds. Percentages are texts, rounded down. */
const [firstKey, ...otherKeys] = components.map(({ key }) => key);
if (!firstKey) throw new Error("no components");
export const componentId = z.enum([firstKey, ...otherKeys]);

const state = z.enum(["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"]);
const instant = z.iso.datetime();
const milliseconds = z.int().nonnegative();
const percent = z.string().nullable().describe("Rounded down; null if nothing was measured");
const objective = z
  .string()
  .nullable()
  .describe("Percent of a UTC calendar month; null if the component has no objective");
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
  components: z.array(z.object({ id: componentId, state: state.describe("The worst impact during the incident") })),
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
    .describe("False if this installation doesn't have the component; then it has no days, figures or budget"),
  affected_by: z.array(z.string()).describe("Names of components whose outages affect this one"),
});

const checkedAt = { checked_at: instant, read_at: instant.describe("When the service's database was last read") };

const exampleInstant = "2026-11-21T12:00:00.000Z";
const exampleTimes = { checked_at: exampleInstant, read_at: "2026-11-21T11:59:57.204Z" };
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
  id: "mnt_3Kd9",
  title: "Weekly reset of the sandbox",
  state: "scheduled",
  components: ["sandbox" as const],
  url: "https://status.example.com/status/maintenance/mnt_3Kd9",
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
          uptime_this_month: "99.987",
          days: [{ day: "2026-11-21", uptime: "100.000", down_ms: 0, unmeasured_ms: 43_200_000 }],
        },
      ],
    },
  });

export const incidentsSchema = z
  .object({
    ...checkedAt,
    incidents: z.array(incident).describe("The last 13 months, newest first"),
    maintenances: z.array(maintenance).describe("The last 13 months and upcoming, newest first"),
  })
  .meta({
    example: { ...exampleTimes, incidents: [exampleIncident], maintenances: [exampleMaintenance] },
  });

const sums = { up_ms: milliseconds, down_ms: milliseconds, excluded_ms: milliseconds, unmeasured_ms: milliseconds };
const figure = z.object({ from: instant, to: instant, ...sums, uptime: percent });
const byState = {
  operational_ms: milliseconds,
  degraded_ms: milliseconds,
  partial_outage_ms: milliseconds,
  major_outage_ms: milliseconds,
  maintenance_ms: milliseconds,
  unknown_ms: milliseconds,
};
const day = z.object({
  day: z.iso.date(),
  ...byState,
  ...sums,
  uptime: percent,
  frozen: z
    .object({
      figures: z.record(z.string(), milliseconds).describe("Unix time in milliseconds, as used in the hash"),
      previous_hash: z.string(),
      hash: z.string(),
      frozen_at: instant,
    })
    .nullable()
    .describe("Null if the day isn't frozen yet"),
  amended: z.boolean().describe("Added after the day was frozen, so the frozen figures don't include it"),
});

export const uptimeSchema = z
  .object({
    ...checkedAt,
    rules: z.array(z.string()).describe("How uptime is computed"),
    components: z.array(
      z.object({
        id: componentId,
        name: z.string(),
        objective,
        deployed: z.boolean(),
        measured_since: instant.nullable(),
        last_90_days: figure,
        months: z
          .array(figure.extend({ month: z.string(), uptime_for_credits: percent }))
          .describe("UTC calendar months, newest first"),
        intervals: z
          .array(z.object({ from: instant, to: instant, source: z.string(), subject: z.string(), state }))
          .optional()
          .describe("Only if one component is requested: what each source reported, unmerged"),
        maintenances: z
          .array(
            z.object({
              id: z.string(),
              state: z.string(),
              announced_at: instant,
              scheduled_from: instant,
              scheduled_to: instant,
            }),
          )
          .optional(),
        days: z.array(day).optional(),
      }),
    ),
  })
  .meta({
    example: {
      ...exampleTimes,
      rules: ["Uptime is up ÷ (up + down)."],
      components: [
        {
          id: "sandbox",
          name: "Sandbox authorization server",
          objective: null,
          deployed: true,
          measured_since: "2026-11-01T00:00:00.000Z",
          last_90_days: {
            from: "2026-11-01T00:00:00.000Z",
            to: exampleInstant,
            uptime: "99.949",
            up_ms: 1_769_100_000,
            down_ms: 900_000,
            excluded_ms: 1_200_000,
            unmeasured_ms: 0,
          },
          months: [],
        },
      ],
    },
  });

const quantile = z.object({
  target_ms: milliseconds,
  measured_ms: milliseconds.nullable().describe("Rounded up; null if nothing was measured or the value is above 10 s"),
  met: z.boolean().nullable().describe("Null if nothing was measured"),
});

export const errorBudgetsSchema = z
  .object({
    ...checkedAt,
    month: z.string(),
    policy: z.string(),
    components: z.array(
      z.object({
        id: componentId,
        name: z.string(),
        objective: z.string(),
        uptime: percent,
        allowed_ms: milliseconds,
        used_ms: milliseconds,
        left_ms: milliseconds,
        used_up: z.boolean(),
        policy: z.enum(["features", "reliability_first"]),
        burn_rate: z
          .number()
          .nullable()
          .describe("Over the last 6 hours; a rate of 1 uses a month's budget in exactly one month"),
        meaning: z.string(),
      }),
    ),
    latency: z
      .array(z.object({ endpoint: z.string(), requests: z.int().nonnegative(), p95: quantile, p99: quantile }))
      .describe("This month, measured on the server; error budgets depend on availability only"),
  })
  .meta({
    example: {
      ...exampleTimes,
      month: "2026-11",
      policy: "Feature work continues while budget is left.",
      components: [
        {
          id: "authorization_server",
          name: "Authorization server",
          objective: "99.9",
          uptime: "99.987",
          allowed_ms: 2_592_000,
          used_ms: 221_000,
          left_ms: 2_371_000,
          used_up: false,
          policy: "features",
          burn_rate: 0,
          meaning: "No budget was used in the last 6 hours.",
        },
      ],
      latency: [
        {
          endpoint: "POST /oauth/token",
          requests: 81_240,
          p95: { target_ms: 180, measured_ms: 9, met: true },
          p99: { target_ms: 350, measured_ms: 24, met: true },
        },
      ],
    },
  });
