import type { ChangePage } from "../../data/directory/log/change-pages.ts";
import type { ParticipantChangeRow } from "../../data/directory/participant-versions.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { toChange, toDocument } from "../participants/participant.wire.ts";
import { renderChangesFeed } from "./atom-feed.ts";

export const changeFormats = ["json", "atom"] as const;
export type ChangeFormat = (typeof changeFormats)[number];

/** Changes of a full page. Full pages start at a multiple of this number. */
export const fullPage = 100;

/**
 * The largest number of changes on a page. Pages with the largest `limit` end at a multiple of it, so that all readers
 * get the same pages, wherever they started.
 */
export const pageLength = (from: number, limit: number): number =>
  limit === fullPage ? fullPage - (from % fullPage) : limit;

type Page = { changes: readonly ParticipantChangeRow[]; from: number; next: number; hasMore: boolean };

export const renderPage = (
  { format, discoveryUrl }: { format: ChangeFormat; discoveryUrl: string },
  { changes, from, next, hasMore }: Page,
): ChangePage =>
  format === "json"
    ? toDocument({ data: changes.map(toChange), has_more: hasMore, next_cursor: String(next) })
    : withEtag(renderChangesFeed({ discoveryUrl, changes, from, next }));

const withEtag = (body: string): ChangePage => ({ body, etag: `"${sha256Base64url(body)}"` });

const sample: ParticipantChangeRow = {
  participantId: "ptc_1",
  version: 2,
  change: "domain_verified",
  changedBy: "client",
  changedAt: new Date(0),
  displayName: "A & B",
  diff: [{ op: "add", path: "/verified_domains/0", value: { domain: "a.example" } }],
  documentSha256: "sha256",
  logIndex: 100,
};

/**
 * The name of the layout of a format's pages: the digest of a sample page. If a release writes pages in another way, or
 * the directory has another address, the name differs, and pages that were stored under the earlier name aren't served.
 */
export const renderingOf = (as: { format: ChangeFormat; discoveryUrl: string }): string => {
  const page = { changes: [sample], from: 100, next: 200, hasMore: true };
  return sha256Base64url(`${as.format}\n${as.discoveryUrl}\n${renderPage(as, page).body}`);
};
