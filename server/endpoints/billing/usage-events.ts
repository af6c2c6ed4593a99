import { recordUsage } from "../../billing/meters/record-usage.ts";
import {
  maxBatchBytes,
  usageBatchSchema,
  usageEventSchema,
  usageResultsSchema,
} from "../../billing/meters/usage-event.wire.ts";
import type { SentUsage, UsageVerdict } from "../../billing/rules/usage-batch.ts";
import { escapePointer, fieldErrors } from "../../contract/body/field-errors.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import type { FieldError } from "../../kernel/errors.ts";
import { holdsText, isText } from "../../kernel/text/text.ts";
import { merchantOf } from "../charges/merchant-of.ts";

/** Maximum number of errors per event. More would make the response many times larger than the request. */
const maxProblems = 5;

const readEvent = (value: unknown): SentUsage => {
  const unstorable = textProblems(value);
  if (unstorable.length > 0) return { problems: unstorable.slice(0, maxProblems) };
  const read = usageEventSchema.safeParse(value);
  if (!read.success) return { problems: fieldErrors(read.error, "").slice(0, maxProblems) };
  const { id: eventId, subject = null, time, ...event } = read.data;
  return { usage: { ...event, eventId, subject, time: new Date(time) } };
};

const textForm = "must not contain NUL or an unpaired surrogate";

/** The members of an event with text that can't be stored. A name with such text isn't repeated in the response. */
const textProblems = (value: unknown): FieldError[] => {
  if (holdsText(value)) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ pointer: "", detail: textForm }];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!isText(name)) return [{ pointer: "", detail: `a name ${textForm}` }];
    return holdsText(member) ? [] : [{ pointer: `/${escapePointer(name)}`, detail: textForm }];
  });
};

const toResult = (verdict: UsageVerdict, index: number) => ({
  status: verdict.status,
  ...("problems" in verdict
    ? { errors: verdict.problems.map(({ pointer, detail }) => ({ pointer: `/events/${index}${pointer}`, detail })) }
    : {}),
});

const countOf = (verdicts: readonly UsageVerdict[], status: UsageVerdict["status"]): number =>
  verdicts.filter((verdict) => verdict.status === status).length;

const event = {
  id: "req_8f31c",
  source: "search-api",
  meter: "searches",
  subject: "customer-42",
  quantity: 3,
  time: "2026-11-20T09:00:00Z",
};

export const recordUsageEventsEndpoint = defineEndpoint({
  method: "POST",
  path: "/billing/usage-events",
  operationId: "recordUsageEvents",
  summary: "Record usage events of the merchant’s own meters",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "billing", scope: "billing.write" },
  errors: "problem",
  errorCodes: ["invalid_request", "body_too_large"],
  rateLimit: "ingest",
  request: {
    content: "json",
    maxBytes: maxBatchBytes,
    body: usageBatchSchema,
    checksTextOf: "events",
    example: { events: [event, { ...event, id: "req_8f31d", time: "2026-10-01T09:00:00Z" }] },
  },
  responses: {
    200: {
      description:
        "The result of each event: accepted, a duplicate of an event that was already counted, in conflict with another event with the same id, or refused because of `errors`. If the whole batch is sent again, no event counts twice",
      schema: usageResultsSchema,
      example: {
        accepted: 1,
        duplicates: 0,
        conflicts: 0,
        refused: 1,
        results: [
          { status: "accepted" },
          { status: "refused", errors: [{ pointer: "/events/1/time", detail: "must be at most 35 days ago" }] },
        ],
      },
    },
  },
  async handle({ deps, caller, info }, { body }) {
    const verdicts = await recordUsage(deps, {
      merchantId: merchantOf(caller),
      clientId: caller.clientId,
      requestId: info.requestId,
      sent: body.events.map(readEvent),
    });
    return {
      status: 200,
      headers: noStore,
      body: {
        accepted: countOf(verdicts, "accepted"),
        duplicates: countOf(verdicts, "duplicate"),
        conflicts: countOf(verdicts, "conflict"),
        refused: countOf(verdicts, "refused"),
        results: verdicts.map(toResult),
      },
    };
  },
});
