import cluster from "node:cluster";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeHandler } from "../contract/node-handler.ts";
import type { Config } from "../deps/config.ts";
import type { Log } from "../deps/deps.ts";
import { refuseUnreadable } from "../http/gateway/unreadable.ts";
import { pathOf } from "../http/request-target.ts";
import { machineHeaders } from "../http/security-headers.ts";

type Options = {
  port: number;
  /** null for loopback alone: 127.0.0.1 and, where the machine has it, ::1 */
  host: string | null;
  /** where problems are explained */
  baseUrl: string;
  log: Log;
  /** bounds for slow callers and many of them */
  connections: Config["connections"];
};

export type Listening = { port: number; close(patienceMilliseconds: number): Promise<void> };

/** How long a kept connection without a request may still bring one, once nothing new is accepted. */
const lingerMilliseconds = 1_000;
const sweepMilliseconds = 100;
/** How long a supervisor may take to hear that a process leaves. */
const goodbyeMilliseconds = 2_000;
/** Servers that accept nothing more: each answer is its connection's last. */
const leaving = new WeakSet<Server>();

/** Whether it is the last one is told by its head, which may be written long after the request came (RFC 9112 §9.6). */
const responseOf = (isLeaving: () => boolean) =>
  class extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (isLeaving()) this.shouldKeepAlive = false;
      return Reflect.apply(super.writeHead, this, [status, ...rest]);
    }
  };

/** An access token carries up to 16 KiB of authorization_details, encoded, and stands in a header (RFC 9396 §9.1). */
const maxHeaderSize = 48 * 1024;

/** Codes of a machine that has no IPv6. */
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
    // No protocol to upgrade to: such a request is answered as any other, and no socket is left to itself.
    shouldUpgradeCallback: () => false,
    maxHeaderSize,
    // The handler refuses a request without Host itself, as it refuses all others.
    requireHostHeader: false,
    headersTimeout: headMilliseconds,
    requestTimeout: requestMilliseconds,
    // How late Node notices either: by itself up to 30 s.
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headMilliseconds / 4)),
  };
  const isHttps = baseUrl.startsWith("https:");
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // Until its answer begins the caller waits for us and not the other way round: the sandbox's clock takes minutes.
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
  // An expectation that nobody knows is left unmet, and the request answered (RFC 9110 §10.1.1).
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuseUnreadable(error, socket, { baseUrl, log }));
  // Longer than the usual proxy's, so that it is never we who close a connection just taken for the next request.
  server.keepAliveTimeout = 65_000;
  // Node counts what the socket takes of a pending answer as activity, so a slow reader stays and one who stopped is cut.
  server.timeout = idleMilliseconds;
  // Dropped here: a supervisor would hand a connection on to the next process, in a circle where all are full.
  Object.assign(server, { maxConnections: connections.max, dropMaxConnection: true });
  server.on("drop", () => log.debug({ max: connections.max }, "too many connections"));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
};

/**
 * A supervisor that accepts for several processes may hand over connections until it hears that this one takes no more: those
 * are refused here and go to a sibling. Once it has said goodbye none is on its way that would be lost with this process.
 */
const disconnectFromSupervisor = async (): Promise<void> => {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const goodbye = new Promise((resolve) => worker.once("disconnect", resolve));
  worker.disconnect();
  await Promise.race([goodbye, sleep(goodbyeMilliseconds, undefined, { ref: false })]);
};

/**
 * Accepts nothing more, lets requests under way finish, and cuts what is left after `patience`. Kept connections stay for
 * a moment: a request may be on its way on each of them, and is answered as the last one there. Then those are closed on
 * which nothing has come: whoever sends at that very moment is told by the closed connection to send again (RFC 9112 §9.3.1).
 */
const drain = (server: Server, patience: number): Promise<void> =>
  new Promise((resolve) => {
    leaving.add(server);
    let sweep: NodeJS.Timeout | undefined;
    // Behind the reading of what has come: a busy process is late, and a request that waits for it is none that is idle.
    const closeIdle = () => setImmediate(() => server.closeIdleConnections());
    const linger = setTimeout(
      () => {
        closeIdle();
        // Those of requests that were under way become idle later.
        sweep = setInterval(closeIdle, sweepMilliseconds);
      },
      Math.min(lingerMilliseconds, patience),
    );
    const deadline = setTimeout(() => server.closeAllConnections(), patience);
    // Not the HTTP server's own `close`, which would cut idle connections at once.
    net.Server.prototype.close.call(server, () => {
      clearTimeout(linger);
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
  });
