import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { checkReadiness } from "../../status/check-readiness.ts";

const alive = z.object({ status: z.literal("alive") });
const readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.object({ database: z.boolean(), keys: z.boolean(), migrations: z.boolean() }),
});

/** Monitors and load balancers add cache busters; refusing them would take a healthy node out of service. */
const monitored = { otherParameters: "ignored" } as const;

const readinessExample = { status: "ready", checks: { database: true, keys: true, migrations: true } };

export const healthEndpoint = defineEndpoint({
  method: "GET",
  path: "/healthz",
  operationId: "getHealth",
  summary: "Liveness check",
  tag: "Health",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "none",
  errors: "problem",
  errorCodes: [],
  request: monitored,
  responses: { 200: { description: "The process is running", schema: alive, example: { status: "alive" } } },
  async handle() {
    return { status: 200, headers: noStore, body: { status: "alive" } };
  },
});

export const readinessEndpoint = defineEndpoint({
  method: "GET",
  path: "/readyz",
  operationId: "getReadiness",
  summary: "Readiness check: database, keys and migrations",
  tag: "Health",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "none",
  errors: "problem",
  errorCodes: [],
  request: monitored,
  responses: {
    200: { description: "Ready", schema: readiness, example: readinessExample },
    503: {
      description: "Not ready, with the reason",
      schema: readiness,
      example: { ...readinessExample, status: "not_ready" },
    },
  },
  async handle({ deps }) {
    const checks = await checkReadiness(deps);
    const isReady = Object.values(checks).every(Boolean);
    return {
      status: isReady ? 200 : 503,
      headers: noStore,
      body: { status: isReady ? "ready" : "not_ready", checks },
    };
  },
});
