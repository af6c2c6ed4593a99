import { defineEndpoint, type Offering } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { advanceClock } from "../../sandbox/advance-clock.ts";
import { advancedSchema, advanceRequestSchema, clockSchema } from "../../sandbox/clock.wire.ts";
import { getClockOperator } from "../../sandbox/get-clock-operator.ts";

const shared = {
  path: "/sandbox/clock",
  tag: "Sandbox",
  standards: ["RFC 9457"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  isOffered: ({ environment }: Offering) => environment === "sandbox",
} as const;

export const readClockEndpoint = defineEndpoint({
  ...shared,
  method: "GET",
  operationId: "readSandboxClock",
  summary: "Read the clock of the sandbox’s mandates, charges and events",
  errorCodes: [],
  request: {},
  responses: {
    200: {
      description: "Business time, and how far it is ahead of real time",
      schema: clockSchema,
      example: { now: "2027-11-21T12:00:00.000Z", ahead_seconds: 31_536_000 },
    },
  },
  async handle({ deps }) {
    const now = await deps.businessClock.now();
    const aheadSeconds = Math.max(0, Math.round((now.getTime() - deps.clock.now().getTime()) / 1000));
    return { status: 200, headers: noStore, body: { now: now.toISOString(), ahead_seconds: aheadSeconds } };
  },
});

export const advanceClockEndpoint = defineEndpoint({
  ...shared,
  method: "POST",
  operationId: "advanceSandboxClock",
  summary: "Move the sandbox’s clock forward and do all work that is due by the new time",
  errorCodes: [
    "invalid_request",
    "operator_required",
    "cross_origin",
    "clock_not_forward",
    "clock_too_far",
    "clock_in_use",
    "clock_work_unfinished",
  ],
  request: {
    content: "json",
    body: advanceRequestSchema,
    example: { advance_to: "2027-11-21T12:00:00Z" },
  },
  responses: {
    200: {
      description:
        "The clock was moved. All later requests use the new time, and all work that was due by the new time is done",
      schema: advancedSchema,
      example: { now: "2027-11-21T12:00:00.412Z", advanced_from: "2026-11-21T12:00:00.000Z" },
    },
  },
  async handle({ deps, info, request }, { body }) {
    const actor = await getClockOperator(deps, { headers: request.headers, ipAddress: info.ipAddress });
    const move = { to: new Date(body.advance_to), actor, requestId: info.requestId };
    const { from, now } = await advanceClock(deps, move);
    return {
      status: 200,
      headers: noStore,
      body: { now: now.toISOString(), advanced_from: from.toISOString() },
    };
  },
});
