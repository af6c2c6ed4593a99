import { element, escapeXml, xmlDeclaration } from "../../../kernel/text/xml.ts";
import type { Feed, FeedItem } from "./feed.ts";

export const rssType = "application/rss+xml; charset=utf-8";

/** RFC 822 §5 with a four-digit year, as RSS 2.0 requires: `Sat, 21 Nov 2026 12:00:00 GMT`. */
const dateOf = (at: Date): string => at.toUTCString();

/** Readers parse a description as HTML, so text is escaped. */
const htmlOf = ({ text, topics }: FeedItem): string => {
  const lines = text.split(/\r\n|\r|\n/).map(escapeXml);
  return `<p>${lines.join("<br>")}</p>${topics.length > 0 ? `<p>Affects: ${escapeXml(topics.join(", "))}</p>` : ""}`;
};

const itemOf = (item: FeedItem): string =>
  [
    "<item>",
    element("title", item.title),
    element("link", item.url),
    element("guid", item.id, ' isPermaLink="false"'),
    element("pubDate", dateOf(item.at)),
    ...item.topics.map((topic) => element("category", topic)),
    element("description", htmlOf(item)),
    "</item>",
  ].join("\n");

/** RSS 2.0.11, with the self link of the RSS Advisory Board's profile. */
export const renderRss = (feed: Feed): string =>
  [
    xmlDeclaration,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    "<channel>",
    element("title", feed.title),
    element("link", feed.pageUrl),
    element("description", feed.description),
    element("language", "en"),
    element("lastBuildDate", dateOf(feed.updatedAt)),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(feed.selfUrl)}"/>`,
    ...feed.items.map(itemOf),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
