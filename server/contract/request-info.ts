import type { RequestInfo } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { addressHeader } from "./headers.ts";

/** Gives a request its id. The user agent is cut at 300 characters. */
export const requestInfoOf = (headers: Pick<Headers, "get">): RequestInfo => ({
  requestId: newId("req"),
  ipAddress: headers.get(addressHeader) ?? "",
  userAgent: (headers.get("user-agent") ?? "").slice(0, 300),
});
