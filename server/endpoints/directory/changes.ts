import { z } from "zod";
import { negotiate } from "../../contract/accept.ts";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { atomType } from "../../directory/changes/atom-feed.ts";
import { fullPage } from "../../directory/changes/change-page.ts";
import { getChangePage } from "../../directory/changes/get-change-page.ts";
import { participantChangeSchema } from "../../directory/participants/participant.wire.ts";
import { DomainError } from "../../kernel/errors.ts";
import { cacheControl, cached, changeExample, limit, notModified, publicContract } from "./contract.ts";

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
      limit: limit.describe("Default: 100. A page of 100 ends before the next index that is a multiple of 100"),
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
    const input = { from: Number(query.cursor ?? 0), limit: Number(query.limit ?? fullPage) };
    const page = await getChangePage(deps, { ...input, format: type === jsonType ? "json" : "atom" });
    const contentType = type === jsonType ? jsonType : `${atomType}; charset=utf-8`;
    return cacheable(request, { ...page, contentType, cacheControl, vary });
  },
});
