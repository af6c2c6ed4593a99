import type { IncomingHttpHeaders } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { NodeHandler } from "../contract/node-handler.ts";

/** What Next's router in a browser sends with a request for a page. */
const routerHeaders = new Set([
  "rsc",
  "next-router-prefetch",
  "next-router-segment-prefetch",
  "next-router-state-tree",
  "next-url",
]);

/** Between parts of Next itself, and of hosting services: a caller who writes one changes what Next believes of itself. */
const internalHeader = /^(?:next|rsc|x-(?:action|invoke|matched|middleware|next|nextjs|now|prerender))(?:-|$)/;

/**
 * Removes what only Next itself may write, and a router state that Next can't read: it would answer 500. Without one it
 * renders the whole page.
 */
export const sanitizeNextHeaders = (headers: IncomingHttpHeaders): void => {
  for (const name of Object.keys(headers)) {
    if (internalHeader.test(name) && !routerHeaders.has(name)) delete headers[name];
  }
  const state = headers["next-router-state-tree"];
  if (state !== undefined && !isRouterState(state)) delete headers["next-router-state-tree"];
};

/** Next's pages, asked with no header that they could fail on. */
export const withNextHeaders =
  (pages: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    sanitizeNextHeaders(incoming.headers);
    return pages(incoming, outgoing);
  };

/** By Next's own parser, so that what is accepted here is accepted there. */
const isRouterState = (text: string | string[]): boolean => {
  try {
    parseAndValidateFlightRouterState(text);
    return true;
  } catch {
    return false;
  }
};
