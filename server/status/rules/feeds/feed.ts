import { createHash } from "node:crypto";
import type { Board } from "../board.ts";
import { type ComponentKey, componentName } from "../components.ts";
import { type PublicUpdate, publicUpdates, updateUrl } from "./public-updates.ts";

/** Feed readers fetch the whole feed repeatedly. */
const maxItems = 200;

export type FeedFormat = "rss" | "atom";

export type FeedItem = {
  /** RFC 4151 tag URI: never changes for one update */
  id: string;
  url: string;
  title: string;
  text: string;
  /** names of components */
  topics: readonly string[];
  at: Date;
};

export type Feed = {
  id: string;
  title: string;
  description: string;
  /** the page with the same content */
  pageUrl: string;
  selfUrl: string;
  /** of the newest item; the epoch if there is none */
  updatedAt: Date;
  /** newest first */
  items: readonly FeedItem[];
};

const itemOf = (statusUrl: string, tag: string, update: PublicUpdate): FeedItem => ({
  id: `${tag}:${update.id}`,
  url: updateUrl(statusUrl, update),
  title: `${update.stateName}: ${update.about.title}`,
  text: update.text,
  topics: update.about.components.map(componentName),
  at: update.at,
});

/** @param component null: all components. */
export const feedOf = (
  board: Pick<Board, "incidents" | "maintenances">,
  { statusUrl, component, format }: { statusUrl: string; component: ComponentKey | null; format: FeedFormat },
): Feed => {
  const updates = publicUpdates(board).filter(
    ({ about }) => component === null || about.components.includes(component),
  );
  const pageUrl = component === null ? `${statusUrl}/status` : `${statusUrl}/status/components/${component}`;
  // RFC 4151 §2.1: the tagging entity is a host that was ours on that date. URLs of pages may change, ids must not.
  const tag = `tag:${new URL(statusUrl).hostname.replace(/[^A-Za-z0-9.-]/g, "")},2026-01-01`;
  const items = updates.slice(0, maxItems).map((update) => itemOf(statusUrl, tag, update));
  return {
    id: `${tag}:status${component === null ? "" : `/${component}`}`,
    title: component === null ? "Paygrant status" : `Paygrant status: ${componentName(component)}`,
    description: "Incidents and maintenance, one item per update.",
    pageUrl,
    selfUrl: `${pageUrl}/feed.${format}`,
    updatedAt: items[0]?.at ?? new Date(0),
    items,
  };
};

/** Strong (RFC 9110 §8.8.3): equal only for equal bytes. */
export const entityTag = (body: string): string => `"${createHash("sha256").update(body).digest("base64url")}"`;
