import { initTRPC } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import type { StatusDeps } from "../../status/runtime.ts";
import { componentsSchema, incidentsSchema, summarySchema } from "./status.wire.ts";
import { componentId } from "./status-fields.wire.ts";
import { toComponents, toErrorBudgets, toIncidents, toSummary, toUptime } from "./status-views.ts";
import { errorBudgetsSchema, uptimeSchema } from "./uptime.wire.ts";

// The status process has a separate context without a session. It answers from data in
// memory (the board), even if the database is down.
const t = initTRPC.context<{ status: StatusDeps }>().meta<OpenApiMeta>().create();

const sourceOf = ({ status }: { status: StatusDeps }) => ({
  board: status.board(),
  now: status.clock.now(),
  statusUrl: status.config.statusUrl,
});

const get = (path: `/status/v1/${string}`, operationId: string, summary: string) =>
  t.procedure.meta({
    openapi: {
      method: "GET",
      path,
      operationId,
      summary,
      tags: ["Status"],
      protect: false,
      // The library documents its own error format, which the endpoints don't use (openapi-endpoint.ts).
      errorResponses: {},
    },
  });

export const statusRouter = t.router({
  summary: get(
    "/status/v1/summary",
    "getStatusSummary",
    "Current state of each component, open incidents and upcoming maintenance",
  )
    .input(z.void())
    .output(summarySchema)
    .query(({ ctx }) => toSummary(sourceOf(ctx))),
  components: get("/status/v1/components", "listStatusComponents", "Every component with its last 90 days")
    .input(z.void())
    .output(componentsSchema)
    .query(({ ctx }) => toComponents(sourceOf(ctx))),
  incidents: get(
    "/status/v1/incidents",
    "listIncidents",
    "Incidents and maintenance of the last 13 months, with all updates",
  )
    .input(z.void())
    .output(incidentsSchema)
    .query(({ ctx }) => toIncidents(sourceOf(ctx))),
  uptime: get(
    "/status/v1/uptime",
    "getUptime",
    "Uptime by month. For one component, also the data from which its figures are computed",
  )
    .input(
      z.object({
        component: componentId
          .optional()
          .describe("Also returns the raw intervals and the days of this component, with the hash of each day"),
      }),
    )
    .output(uptimeSchema)
    .query(({ ctx, input }) => toUptime(sourceOf(ctx), input.component)),
  errorBudgets: get("/status/v1/error-budgets", "getErrorBudgets", "Error budgets of the current UTC calendar month")
    .input(z.void())
    .output(errorBudgetsSchema)
    .query(({ ctx }) => toErrorBudgets(sourceOf(ctx))),
});
