import { element, escapeXml, xmlDeclaration } from "../../../kernel/text/xml.ts";
import type { Feed, FeedItem } from "./feed.ts";

export const atomType = "application/atom+xml; charset=utf-8";

const entryOf = (item: FeedItem): string =>
  [
    "<entry>",
    element("id", item.id),
    element("title", item.title, ' type="text"'),
    `<link rel="alternate" type="text/html" href="${escapeXml(item.url)}"/>`,
    element("published", item.at.toISOString()),
    element("updated", item.at.toISOString()),
    ...item.topics.map((topic) => `<category term="${escapeXml(topic)}"/>`),
    element("content", item.text, ' type="text"'),
    "</entry>",
  ].join("\n");

/** Atom 1.0 (RFC 4287). */
export const renderAtom = (feed: Feed): string =>
  [
    xmlDeclaration,
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element("id", feed.id),
    element("title", feed.title, ' type="text"'),
    element("subtitle", feed.description, ' type="text"'),
    element("updated", feed.updatedAt.toISOString()),
    "<author><name>Paygrant</name></author>",
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed.selfUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(feed.pageUrl)}"/>`,
    ...feed.items.map(entryOf),
    "</feed>",
    "",
  ].join("\n");
