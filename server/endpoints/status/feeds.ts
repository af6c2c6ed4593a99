import { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import type { RawReply } from "../../contract/endpoint.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type ComponentKey, isComponentKey } from "../../status/rules/components.ts";
import { atomType, renderAtom } from "../../status/rules/feeds/atom.ts";
import { entityTag, type FeedFormat, feedOf } from "../../status/rules/feeds/feed.ts";
import { renderRss, rssType } from "../../status/rules/feeds/rss.ts";
import type { StatusDeps } from "../../status/runtime.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";

const formats = {
  rss: { name: "RSS 2.0", standard: "RSS 2.0", contentType: rssType, render: renderRss },
  atom: { name: "Atom", standard: "RFC 4287", contentType: atomType, render: renderAtom },
} as const;

type FeedContext = { deps: StatusDeps; request: Request };

const answerFeed = ({ deps, request }: FeedContext, format: FeedFormat, component: ComponentKey | null): RawReply => {
  const { contentType, render } = formats[format];
  const feed = feedOf(deps.board(), { statusUrl: deps.config.statusUrl, component, format });
  const body = render(feed);
  return cacheable(request, {
    body,
    contentType,
    etag: entityTag(body),
    cacheControl: "public, max-age=60",
  });
};

const responsesOf = (format: FeedFormat) => ({
  200: {
    description: "One item for each incident or maintenance update, newest first",
    contentType: formats[format].contentType.split(";", 1)[0] ?? "",
    schema: z.string(),
    example: `<?xml version="1.0" encoding="utf-8"?>${format === "rss" ? '<rss version="2.0">…</rss>' : "<feed>…</feed>"}`,
    headers: { etag: "Strong entity tag (RFC 9110 §8.8.3)" },
  },
  304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
});

const wholeFeed = (format: FeedFormat) =>
  defineStatusEndpoint({
    method: "GET",
    path: `/status/feed.${format}`,
    operationId: `getStatusFeed${format === "rss" ? "Rss" : "Atom"}`,
    summary: `Incident and maintenance updates as ${formats[format].name}`,
    tag: "Status",
    isPublic: true,
    standards: [formats[format].standard],
    errorCodes: [],
    // Feed readers and linking sites add parameters such as `utm_source`.
    request: { otherParameters: "ignored" },
    responses: responsesOf(format),
    answer: async (context) => answerFeed(context, format, null),
  });

const componentFeed = (format: FeedFormat) =>
  defineStatusEndpoint({
    method: "GET",
    path: `/status/components/{component}/feed.${format}`,
    operationId: `getComponentFeed${format === "rss" ? "Rss" : "Atom"}`,
    summary: `Updates about one component as ${formats[format].name}`,
    tag: "Status",
    isPublic: true,
    standards: [formats[format].standard],
    errorCodes: ["component_not_found"],
    request: { params: z.object({ component: z.string().meta({ example: "sandbox" }) }), otherParameters: "ignored" },
    responses: responsesOf(format),
    async answer(context, { params: { component } }) {
      if (isComponentKey(component)) return answerFeed(context, format, component);
      throw new DomainError("not_found", {
        code: "component_not_found",
        message: "Component not found. /status/v1/summary lists all components.",
      });
    },
  });

export const statusRssEndpoint = wholeFeed("rss");
export const statusAtomEndpoint = wholeFeed("atom");
export const componentRssEndpoint = componentFeed("rss");
export const componentAtomEndpoint = componentFeed("atom");
