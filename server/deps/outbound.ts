import type { IncomingHttpHeaders } from "node:http";

export type OutboundRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
  /** for the whole exchange, from the first look-up to the last byte */
  timeoutMilliseconds: number;
  /** whether the request can be sent again later; fewer of these may run at a time, which leaves capacity for others */
  canWait?: boolean;
  /** takes the first `maxBytes` of a longer body, in any encoding, instead of refusing the body */
  isStartEnough?: boolean;
};

export type OutboundAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Requests to URLs that another party chose. */
export type Outbound = {
  /** The problem with a URL; null if the URL is allowed. This check sends no request. */
  urlProblem(text: string): string | null;
  /**
   * Connects to the IP address that was checked, and only if every IP address of the name is globally reachable. SNI
   * and certificate use the name. Redirects are not followed, and no proxy is used.
   * @throws OutboundError.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
};
