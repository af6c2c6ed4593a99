import { z } from "zod";
import {
  checkedAt,
  componentId,
  exampleInstant,
  exampleTimes,
  instant,
  milliseconds,
  objective,
  percent,
  state,
} from "./status-fields.wire.ts";

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
      figures: z.record(z.string(), milliseconds).describe("Durations in milliseconds, as used in the hash"),
      previous_hash: z.string(),
      hash: z.string(),
      frozen_at: instant,
    })
    .nullable()
    .describe("Null if the day isn't frozen yet"),
  amended: z
    .boolean()
    .describe("True if the figures have changed since the day was frozen; the frozen figures don't change"),
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
          .describe("Only if one component is requested: the state that each source reported"),
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
          uptime: "99.98",
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
