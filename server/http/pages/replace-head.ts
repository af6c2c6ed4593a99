import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

export type Head = { status: number; headers: OutgoingHttpHeaders };

/**
 * Replaces the page's status and headers. Headers that were set before the page was rendered stay.
 * @param ownHeaders the headers that were set before
 */
export const replaceHead = (
  outgoing: ServerResponse,
  ownHeaders: OutgoingHttpHeaders,
  { status, headers }: Head,
): void => {
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  for (const [name, value] of Object.entries({ ...ownHeaders, ...headers })) {
    if (value !== undefined) outgoing.setHeader(name, value);
  }
  outgoing.statusCode = status;
};
