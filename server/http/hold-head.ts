import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/**
 * Sets the same status and headers as `writeHead`, but doesn't send them. @param rest the arguments of `writeHead`
 * after the status; a reason phrase is dropped
 */
export const holdHead = (outgoing: ServerResponse, status: number, rest: readonly unknown[]): void => {
  outgoing.statusCode = status;
  const fields = rest.find((each) => typeof each === "object" && each !== null) ?? {};
  for (const [name, value] of Object.entries(fields as OutgoingHttpHeaders)) {
    if (value !== undefined) outgoing.setHeader(name, value);
  }
};
