import type { ParticipantChangeRow } from "../../data/directory/participant-versions.ts";
import { element, escapeXml, xmlDeclaration } from "../../kernel/text/xml.ts";

export const atomType = "application/atom+xml";

type Page = {
  discoveryUrl: string;
  changes: readonly ParticipantChangeRow[];
  /** index in the log at which the page starts */
  from: number;
  /** index after the page */
  next: number;
};

/**
 * One page of the changes as Atom (RFC 4287), oldest first like the JSON. Its `next` link leads to the following page
 * (RFC 5005 §3). The last page has this link too: it leads to changes that are made later.
 */
export const renderChangesFeed = ({ discoveryUrl, changes, from, next }: Page): string => {
  const feedUrl = `${discoveryUrl}/v1/changes`;
  const atPage = (index: number) => escapeXml(index === 0 ? feedUrl : `${feedUrl}?cursor=${index}`);
  // RFC 4151 §2.1: the tagging entity is a host that was ours on that date.
  const tag = `tag:${new URL(discoveryUrl).hostname.replace(/[^A-Za-z0-9.-]/g, "")},2026-01-01:directory`;
  return [
    xmlDeclaration,
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element("id", `${tag}/changes`),
    element("title", "Paygrant directory: changes", ' type="text"'),
    element("updated", (changes.at(-1)?.changedAt ?? new Date(0)).toISOString()),
    "<author><name>Paygrant</name></author>",
    `<link rel="self" type="${atomType}" href="${atPage(from)}"/>`,
    `<link rel="next" type="${atomType}" href="${atPage(next)}"/>`,
    ...changes.map((change) => entryOf(change, { tag, discoveryUrl })),
    "</feed>",
    "",
  ].join("\n");
};

const entryOf = (
  change: ParticipantChangeRow,
  { tag, discoveryUrl }: { tag: string; discoveryUrl: string },
): string => {
  const participantUrl = `${discoveryUrl}/v1/participants/${change.participantId}`;
  const at = change.changedAt.toISOString();
  return [
    "<entry>",
    element("id", `${tag}/changes/${change.logIndex}`),
    element("title", `${change.displayName}: ${change.change.replaceAll("_", " ")}`, ' type="text"'),
    `<link rel="alternate" type="application/json" href="${escapeXml(participantUrl)}"/>`,
    `<link rel="related" type="application/json" href="${escapeXml(`${participantUrl}/history`)}"/>`,
    element("published", at),
    element("updated", at),
    element("content", JSON.stringify(change.diff), ' type="text"'),
    "</entry>",
  ].join("\n");
};
