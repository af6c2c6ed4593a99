import { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { forReading } from "../../data/replica/for-reading.ts";
import { listParticipantHistory } from "../../directory/participants/find-participant.ts";
import { listParticipants } from "../../directory/participants/list-participants.ts";
import {
  participantSchema,
  participantVersionSchema,
  roles,
  statuses,
  toDocument,
  toParticipant,
  toVersion,
} from "../../directory/participants/participant.wire.ts";
import { capabilityPattern } from "../../directory/rules/facets.ts";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import {
  cacheControl,
  cached,
  limit,
  limitOf,
  notModified,
  participantExample,
  participantParams,
  publicContract,
  versionExample,
} from "./contract.ts";

const contract = publicContract;
const contentType = "application/json";

const listQuery = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Matches the start of a word in a name, the exact id of a participant, merchant or client, a verified domain, or the issuer of a listed authorization server",
    ),
  role: z.enum(roles).optional(),
  capability: z
    .string()
    .regex(capabilityPattern, "must be par, dpop, webhooks, rar:<type>, grant:<grant_type> or currency:<code>")
    .optional()
    .describe("`par`, `dpop`, `webhooks`, `rar:<type>`, `grant:<grant_type>` or `currency:<code>`"),
  currency: z.string().refine(isCurrency, currencyProblem).optional().describe("Short form of `capability=currency:…`"),
  environment: z.enum(["production", "sandbox"]).optional(),
  status: z.enum(statuses).optional(),
  updated_since: z.iso
    .datetime({ offset: true, error: "must be an RFC 3339 date and time" })
    .optional()
    .describe("Changed at or after this time"),
  cursor: z.string().max(200).optional().describe("next_cursor of the previous page"),
  limit,
});

export const listParticipantsEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/v1/participants",
  operationId: "listParticipants",
  // A search reads more rows than it returns.
  rateLimit: "directory",
  summary: "List participants in the order of their last change",
  errorCodes: ["invalid_request"],
  request: { query: listQuery },
  responses: {
    200: {
      description: "One page of participants; next_cursor is null on the last page",
      schema: z.object({
        data: z.array(participantSchema),
        has_more: z.boolean(),
        next_cursor: z.string().nullable(),
      }),
      example: { data: [participantExample], has_more: false, next_cursor: null },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { query }) {
    const { updated_since: since, limit: requested, ...filter } = query;
    const updatedSince = since === undefined ? undefined : new Date(since);
    const { participants, nextCursor } = await listParticipants(forReading(deps, request.headers.get("cookie")), {
      ...filter,
      updatedSince,
      limit: limitOf(requested),
    });
    const context = { environment: deps.config.environment, server: () => serverEntry(deps), now: deps.clock.now() };
    const data = participants.map((row) => toParticipant(row, context));
    const page = { data, has_more: nextCursor !== null, next_cursor: nextCursor };
    return cacheable(request, { ...toDocument(page), contentType, cacheControl });
  },
});

export const participantHistoryEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/v1/participants/{participant_id}/history",
  operationId: "listParticipantHistory",
  summary: "List the versions of a participant's entry",
  errorCodes: ["invalid_request", "participant_not_found"],
  request: {
    params: participantParams,
    query: z.object({
      cursor: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, "must be the next_cursor of the previous page")
        .optional(),
      limit,
    }),
  },
  responses: {
    200: {
      description: "Newest first; next_cursor is null on the last page",
      schema: z.object({
        data: z.array(participantVersionSchema),
        has_more: z.boolean(),
        next_cursor: z.string().nullable(),
      }),
      example: { data: [versionExample], has_more: false, next_cursor: null },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { params, query }) {
    const { versions, hasMore } = await listParticipantHistory(deps, {
      id: params.participant_id,
      limit: limitOf(query.limit),
      before: query.cursor === undefined ? null : Number(query.cursor),
    });
    const next = hasMore ? String(versions.at(-1)?.version) : null;
    const document = toDocument({ data: versions.map(toVersion), has_more: hasMore, next_cursor: next });
    return cacheable(request, { ...document, contentType, cacheControl });
  },
});
