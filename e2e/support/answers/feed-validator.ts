import { childrenOf, parseXml, type XmlElement } from "./xml.ts";

const atom = "http://www.w3.org/2005/Atom";
const a = (name: string): string => `{${atom}}${name}`;

/** RFC 822 §5.1 and §5.2, the year in four digits (RSS 2.0), the zone as a name or an offset. */
const rfc822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (GMT|UT|[+-]\d{4})$/;
/** RFC 3339 §5.6, as restricted by RFC 4287 §3.3: with `T` and `Z` in capitals. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Whitespace from pretty-printing doesn't count as text. */
const isBlank = (text: string): boolean => text.trim() === "";

/** The violations of a document's format; empty when it is valid. */
class Findings {
  readonly list: string[] = [];
  check(holds: boolean, finding: string): void {
    if (!holds) this.list.push(finding);
  }
  /**
   * Records a violation unless the parent has exactly one child of that name.
   * @returns the first child of that name, or an empty element if there is none.
   */
  one(parent: XmlElement, name: string): XmlElement {
    const found = childrenOf(parent, name);
    this.check(found.length === 1, `${parent.name}: has ${found.length} ${name} elements, must have exactly one`);
    return found[0] ?? { name, attributes: {}, children: [], text: "" };
  }
  filled(parent: XmlElement, name: string): string {
    const { text, children } = this.one(parent, name);
    this.check(!isBlank(text) && children.length === 0, `${parent.name}/${name}: must contain only text`);
    return text;
  }
  date(text: string, pattern: RegExp, where: string): number {
    const time = Date.parse(text);
    this.check(pattern.test(text) && !Number.isNaN(time), `${where}: ${JSON.stringify(text)} is not a date`);
    // The day of the week must match the date.
    if (pattern === rfc822 && text.endsWith("GMT"))
      this.check(new Date(time).toUTCString() === text, `${where}: ${text} has the wrong day of the week`);
    return time;
  }
  url(text: string, where: string): void {
    this.check(/^https?:/.test(text) && URL.canParse(text), `${where}: ${JSON.stringify(text)} is not an address`);
  }
  only(parent: XmlElement, names: readonly string[]): void {
    for (const { name } of parent.children) this.check(names.includes(name), `${parent.name}: unknown ${name}`);
    this.check(isBlank(parent.text), `${parent.name}: text between its elements`);
  }
  unique(values: readonly string[], what: string): void {
    this.check(new Set(values).size === values.length, `${what} that is not unique`);
  }
  newestFirst(times: readonly number[]): void {
    this.check(
      times.every((time, index) => time <= (times[index - 1] ?? time)),
      "not newest first",
    );
  }
}

const channelElements = ["title", "link", "description", "language", "lastBuildDate", "pubDate", "ttl", "item"];
const itemElements = ["title", "link", "description", "guid", "pubDate", "category"];

/**
 * RSS 2.0.11, the self link of the RSS Advisory Board's profile, and what this service promises: each item has a guid,
 * and the newest item comes first.
 */
export const rssFindings = (document: string, selfUrl: string): string[] => {
  const findings = new Findings();
  const rss = parseXml(document);
  findings.check(rss.name === "rss" && rss.attributes["version"] === "2.0", "root: must be rss 2.0");
  const channel = findings.one(rss, "channel");
  findings.only(channel, [...channelElements, a("link")]);
  for (const name of ["title", "description"]) findings.filled(channel, name);
  findings.url(findings.filled(channel, "link"), "channel/link");
  findings.date(findings.filled(channel, "lastBuildDate"), rfc822, "channel/lastBuildDate");
  const self = findings.one(channel, a("link")).attributes;
  findings.check(self["rel"] === "self" && self["href"] === selfUrl, "channel: no self link");
  findings.check(self["type"] === "application/rss+xml", "channel: self link has another type");
  const items = childrenOf(channel, "item");
  for (const item of items) {
    findings.only(item, itemElements);
    for (const name of ["title", "description"]) findings.filled(item, name);
    findings.url(findings.filled(item, "link"), "item/link");
    const guid = findings.one(item, "guid");
    const isPermaLink = guid.attributes["isPermaLink"] ?? "true";
    findings.check(isPermaLink === "true" || isPermaLink === "false", "guid: isPermaLink must be true or false");
    if (isPermaLink === "true") findings.url(guid.text, "item/guid");
  }
  const textsOf = (name: string) => items.map((item) => findings.filled(item, name));
  findings.unique(textsOf("guid"), "a guid");
  findings.newestFirst(textsOf("pubDate").map((text) => findings.date(text, rfc822, "item/pubDate")));
  return findings.list;
};

const feedElements = ["id", "title", "subtitle", "updated", "author", "link", "category", "generator", "entry"].map(a);
const entryElements = ["id", "title", "updated", "published", "link", "category", "content", "summary"].map(a);

const linkOf = (findings: Findings, parent: XmlElement, rel: string): string => {
  const found = childrenOf(parent, a("link")).filter(({ attributes }) => attributes["rel"] === rel);
  findings.check(
    found.length === 1,
    `${parent.name}: has ${found.length} links with rel="${rel}", must have exactly one`,
  );
  const href = found[0]?.attributes["href"] ?? "";
  findings.url(href, `link ${rel}`);
  return href;
};

/** A Text construct (RFC 4287 §3.1) or content (§4.1.3), without markup. */
const plainText = (findings: Findings, parent: XmlElement, name: string): void => {
  const { attributes, children } = findings.one(parent, a(name));
  const type = attributes["type"] ?? "text";
  findings.check(type === "text" && children.length === 0, `${name}: must be plain text`);
};

/** RFC 4287 §4.1, and what this service promises: the newest entry comes first. */
export const atomFindings = (document: string, selfUrl: string): string[] => {
  const findings = new Findings();
  const feed = parseXml(document);
  findings.check(feed.name === a("feed"), "root: must be an Atom feed");
  findings.only(feed, feedElements);
  // §4.2.6 requires an absolute IRI. This service uses tag URIs (RFC 4151).
  const idOf = (parent: XmlElement): string => {
    const id = findings.filled(parent, a("id"));
    findings.check(/^tag:[A-Za-z0-9.-]+,\d{4}(-\d{2}(-\d{2})?)?:[^\s<>"{}|\\^`]+$/.test(id), `${id} is not a tag URI`);
    return id;
  };
  plainText(findings, feed, "title");
  const updated = findings.date(findings.filled(feed, a("updated")), rfc3339, "feed/updated");
  findings.check(linkOf(findings, feed, "self") === selfUrl, "feed: self link has another address");
  linkOf(findings, feed, "alternate");
  findings.filled(findings.one(feed, a("author")), a("name"));
  const entries = childrenOf(feed, a("entry"));
  for (const entry of entries) {
    findings.only(entry, entryElements);
    plainText(findings, entry, "title");
    plainText(findings, entry, "content");
    linkOf(findings, entry, "alternate");
    findings.date(findings.filled(entry, a("published")), rfc3339, "entry/published");
    for (const { attributes } of childrenOf(entry, a("category")))
      findings.check((attributes["term"] ?? "") !== "", "category: no term");
  }
  findings.unique([idOf(feed), ...entries.map(idOf)], "an id");
  const times = entries.map((entry) => findings.date(findings.filled(entry, a("updated")), rfc3339, "entry/updated"));
  findings.newestFirst(times);
  if (times[0] !== undefined) findings.check(times[0] === updated, "feed/updated differs from its newest entry");
  return findings.list;
};
