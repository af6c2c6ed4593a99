import type { IncomingHttpHeaders } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { NodeHandler } from "../contract/node-handler.ts";

/** Headers that Next's router sends from browsers. */
const routerHeaders = new Set([
  "rsc",
  "next-router-prefetch",
  "next-router-segment-prefetch",
  "next-router-state-tree",
  "next-url",
]);

/** Internal headers of Next and of hosting services: callers must not set them. */
const internalHeader = /^(?:next|rsc|x-(?:action|invoke|matched|middleware|next|nextjs|now|prerender))(?:-|$)/;

/**
 * Removes internal headers, and a router state that Next can't parse, to which Next would respond with status 500.
 * Without a router state, Next renders the whole page.
 */
export const sanitizeNextHeaders = (headers: IncomingHttpHeaders): void => {
  for (const name of Object.keys(headers)) {
    if (internalHeader.test(name) && !routerHeaders.has(name)) delete headers[name];
  }
  const state = headers["next-router-state-tree"];
  if (state !== undefined && !isRouterState(state)) delete headers["next-router-state-tree"];
};

/** Next's pages, with sanitized headers. */
export const withNextHeaders =
  (pages: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    sanitizeNextHeaders(incoming.headers);
    return pages(incoming, outgoing);
  };

/** Uses Next's own parser, so that this check accepts what Next accepts. */
const isRouterState = (text: string | string[]): boolean => {
  try {
    parseAndValidateFlightRouterState(text);
    return true;
  } catch {
    return false;
  }
};
