import { z } from "zod";
import { negotiate } from "../../contract/accept.ts";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { listChanges } from "../../directory/participants/list-changes.ts";
import { participantChangeSchema, toChange, toDocument } from "../../directory/participants/participant.wire.ts";
import { DomainError } from "../../kernel/errors.ts";
import { atomType, renderChanges } from "./changes-feed.ts";
import { cacheControl, cached, changeExample, limit, limitOf, notModified, publicContract } from "./contract.ts";

const jsonType = "application/json";
const vary = "Accept";

export const listChangesEndpoint = defineEndpoint({
  ...publicContract,
  path: "/directory/v1/changes",
  operationId: "listDirectoryChanges",
  summary: "List the changes of all participants, oldest first. With Accept: application/atom+xml, as an Atom feed",
  standards: ["RFC 9110", "RFC 6902", "RFC 4287"],
  errorCodes: ["invalid_request", "not_acceptable"],
  request: {
    query: z.object({
      cursor: z
        .string()
        .regex(/^(0|[1-9]\d{0,14})$/, "must be the next_cursor of an earlier page")
        .optional()
        .describe("next_cursor of an earlier page"),
      limit,
    }),
  },
  responses: {
    200: {
      description:
        "In the order of the transparency log. The last page has a next_cursor too: it returns later changes",
      schema: z.object({ data: z.array(participantChangeSchema), has_more: z.boolean(), next_cursor: z.string() }),
      example: { data: [changeExample], has_more: false, next_cursor: "42" },
      headers: { ...cached, vary },
      alternatives: { [atomType]: { example: '<?xml version="1.0" encoding="utf-8"?><feed>…</feed>' } },
    },
    304: notModified,
  },
  async handle({ deps, request }, { query }) {
    const type = negotiate(request.headers.get("accept"), [jsonType, atomType]);
    if (type === null) {
      const message = `The changes are available as ${jsonType} and ${atomType}.`;
      throw new DomainError("invalid", { code: "not_acceptable", message, headers: { vary } });
    }
    const from = Number(query.cursor ?? 0);
    const { changes, hasMore, next } = await listChanges(deps, { from, limit: limitOf(query.limit) });
    const nextCursor = String(next);
    if (type === jsonType) {
      const page = toDocument({ data: changes.map(toChange), has_more: hasMore, next_cursor: nextCursor });
      return cacheable(request, { ...page, contentType: jsonType, cacheControl, vary });
    }
    const { discoveryUrl } = deps.config;
    const body = renderChanges({ discoveryUrl, changes, cursor: query.cursor ?? null, nextCursor });
    const { etag } = toDocument({ body });
    return cacheable(request, { body, etag, contentType: `${atomType}; charset=utf-8`, cacheControl, vary });
  },
});
