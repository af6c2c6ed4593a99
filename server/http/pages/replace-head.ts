import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

export type Head = { status: number; headers: OutgoingHttpHeaders };

/** Removes the headers of the page, and keeps those that were set before it was rendered. */
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
