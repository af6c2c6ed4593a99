import cluster from "node:cluster";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeHandler } from "../contract/node-handler.ts";
import type { Config } from "../deps/config.ts";
import type { Log } from "../deps/deps.ts";
import { answerUnreadable } from "../http/gateway/unreadable.ts";
import { pathOf } from "../http/request-target.ts";
import { machineHeaders } from "../http/security-headers.ts";

type Options = {
  port: number;
  /** null: loopback only, 127.0.0.1 and, if available, ::1 */
  host: string | null;
  /** base of the URLs in problem details */
  baseUrl: string;
  log: Log;
  /** limits for slow and for many connections */
  connections: Config["connections"];
};

export type Listening = { port: number; close(patienceMilliseconds: number): Promise<void> };

/** How long idle connections may still send a request after the server stops accepting. */
const lingerMilliseconds = 1_000;
const sweepMilliseconds = 100;
/** How long to wait for the supervisor when a process disconnects. */
const disconnectMilliseconds = 2_000;
/** Servers that are closing: each response is the last on its connection. */
const leaving = new WeakSet<Server>();

/** Sets `Connection: close` when the head is written, which may be long after the request arrived (RFC 9112 §9.6). */
const responseOf = (isLeaving: () => boolean) =>
  class extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (isLeaving()) this.shouldKeepAlive = false;
      return Reflect.apply(super.writeHead, this, [status, ...rest]);
    }
  };

/** An access token in a header contains up to 16 KiB of encoded authorization_details (RFC 9396 §9.1). */
const maxHeaderSize = 48 * 1024;

/**
 * The number of connections that wait until this process accepts them. The kernel lowers it to `net.core.somaxconn`. A
 * proxy treats a refused connection as a failed process, so a short delay of the event loop must not fill the queue.
 */
const backlog = 4096;

/** Error codes of machines without IPv6. */
const absentAddress = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

export const listen = async (handler: NodeHandler, options: Options): Promise<Listening> => {
  const hosts = options.host === null ? ["127.0.0.1", "::1"] : [options.host];
  const servers: Server[] = [];
  for (const [index, address] of hosts.entries()) {
    try {
      servers.push(await listenOn(handler, address, options));
    } catch (error) {
      if (index === 0 || !absentAddress.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  const address = servers[0]?.address();
  return {
    port: address && typeof address === "object" ? address.port : options.port,
    async close(patience) {
      await Promise.all(servers.map((server) => drain(server, patience)));
      await disconnectFromSupervisor();
    },
  };
};

const listenOn = (handler: NodeHandler, host: string, options: Options): Promise<Server> => {
  const { port, baseUrl, log, connections } = options;
  const { headMilliseconds, requestMilliseconds, idleMilliseconds } = connections;
  const settings = {
    ServerResponse: responseOf(() => leaving.has(server)),
    // No upgrade is supported. A request for an upgrade is answered like any other request, so that no socket is left
    // open.
    shouldUpgradeCallback: () => false,
    maxHeaderSize,
    // The handler itself refuses requests without Host.
    requireHostHeader: false,
    headersTimeout: headMilliseconds,
    requestTimeout: requestMilliseconds,
    // Node checks both time-outs only every 30 s by default.
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headMilliseconds / 4)),
  };
  const isHttps = baseUrl.startsWith("https:");
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // A caller that waits for our response stays connected: for example, advancing the sandbox's clock takes minutes.
    outgoing.on("timeout", (socket: net.Socket) => {
      if (outgoing.headersSent) socket.destroy();
    });
    handler(incoming, outgoing).catch((error: unknown) => {
      log.error({ err: error }, "fault");
      if (!outgoing.headersSent)
        outgoing.writeHead(500, {
          ...machineHeaders(isHttps, pathOf(incoming.url ?? "")),
          "content-type": "application/problem+json",
          "cache-control": "no-store",
        });
      outgoing.end(
        outgoing.writableEnded
          ? undefined
          : JSON.stringify({ type: "about:blank", title: "Server error", status: 500 }),
      );
    });
  };
  const server: Server = createServer(settings, answer);
  // An unknown expectation is ignored (RFC 9110 §10.1.1).
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => answerUnreadable(error, socket, { baseUrl, log }));
  // Longer than the limit of common proxies, so that we don't close a connection that a proxy is about to use.
  server.keepAliveTimeout = 65_000;
  // Node counts partial writes as activity: slow readers stay connected, and stalled ones are closed.
  server.timeout = idleMilliseconds;
  // Drop excess connections here. A supervisor would pass them from one full process to the next.
  Object.assign(server, { maxConnections: connections.max, dropMaxConnection: true });
  server.on("drop", () => log.debug({ max: connections.max }, "too many connections"));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog }, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
};

/**
 * A supervisor that accepts for several processes may still hand over connections; those are refused here and go to
 * another process. Once the supervisor confirms the disconnect, no connection is on its way to this process, so none is
 * lost when it ends.
 */
const disconnectFromSupervisor = async (): Promise<void> => {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const disconnected = new Promise((resolve) => worker.once("disconnect", resolve));
  worker.disconnect();
  await Promise.race([disconnected, sleep(disconnectMilliseconds, undefined, { ref: false })]);
};

/**
 * Stops accepting, lets running requests finish, and closes the rest after `patience`. Idle connections stay open
 * briefly, since a request may be on its way; its response is the last on the connection. Then idle connections are
 * closed. A client that sends at that moment finds its connection closed and retries (RFC 9112 §9.3.1).
 */
const drain = (server: Server, patience: number): Promise<void> =>
  new Promise((resolve) => {
    leaving.add(server);
    let sweep: NodeJS.Timeout | undefined;
    // This runs after pending reads: in a busy process, a connection with an unread request isn't idle.
    const closeIdle = () => setImmediate(() => server.closeIdleConnections());
    const linger = setTimeout(
      () => {
        closeIdle();
        // Connections with running requests become idle later.
        sweep = setInterval(closeIdle, sweepMilliseconds);
      },
      Math.min(lingerMilliseconds, patience),
    );
    const deadline = setTimeout(() => server.closeAllConnections(), patience);
    // The HTTP server's own `close` would close idle connections immediately.
    net.Server.prototype.close.call(server, () => {
      clearTimeout(linger);
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
  });
