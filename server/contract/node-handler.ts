import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers a request of Node's HTTP server. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
