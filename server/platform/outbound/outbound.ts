import http, { type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Outbound, OutboundAnswer, OutboundRequest } from "../../deps/outbound.ts";
import { addressPrefix } from "../../kernel/text/ip-address.ts";
import { type Dial, dialAddress } from "./dial.ts";
import { isGloballyReachable, isLoopback } from "./global-address.ts";
import { type OutboundTarget, readOutboundUrl, siteOf } from "./outbound-url.ts";
import { type Claim, createPlaces } from "./places.ts";
import { type Resolve, resolveHost } from "./resolve-host.ts";

type Problem = "bad_address" | "unreachable" | "timed_out" | "too_large" | "bad_answer" | "busy";

/** No usable response. The message is for logs; callers get `problem` only. */
export class OutboundError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "OutboundError";
    this.problem = problem;
  }
}

/** If an address doesn't answer within this time, the name's next address is tried. */
const connectMilliseconds = 1500;
const maxAddresses = 4;

type UnderWay = { claim: Claim; signal: AbortSignal };
const busy = () => new OutboundError("busy", "too many requests are in progress, in total or to this recipient");

type Options = { allowLoopback: boolean; resolve?: Resolve; dial?: Dial };

export const createOutbound = ({ allowLoopback, resolve = resolveHost, dial = dialAddress }: Options): Outbound => {
  const places = createPlaces();
  const read = (text: string) => readOutboundUrl(text, { allowLoopback });

  const ask = async (request: OutboundRequest, target: OutboundTarget, { claim, signal }: UnderWay) => {
    if (!claim.takeFor(siteOf(target.hostname)) || !claim.take()) throw busy();
    const addresses = await resolveAddresses(target, resolve, signal);
    const socket = await connect(target, { claim, signal }, { dial, addresses });
    try {
      return await exchange(target, request, { socket, signal });
    } finally {
      socket.destroy();
    }
  };

  return {
    urlProblem(text) {
      const target = read(text);
      return "problem" in target ? target.problem : null;
    },
    async request(request) {
      const target = read(request.url);
      if ("problem" in target) throw new OutboundError("bad_address", `the address ${target.problem}`);
      const claim = places.claim(request.canWait ?? false);
      const signal = AbortSignal.timeout(request.timeoutMilliseconds);
      try {
        return await ask(request, target, { claim, signal });
      } catch (cause) {
        if (signal.aborted) throw new OutboundError("timed_out", "no complete response in time", { cause });
        if (cause instanceof OutboundError) throw cause;
        throw new OutboundError("unreachable", "the request failed", { cause });
      } finally {
        claim.releaseAll();
      }
    },
  };
};

/**
 * Resolves the name once and checks every address. The caller connects to one of the returned addresses, so a later
 * change of the name has no effect.
 */
const resolveAddresses = async (target: OutboundTarget, resolve: Resolve, signal: AbortSignal): Promise<string[]> => {
  const addresses = target.literal === null ? await resolve(target.hostname, signal) : [target.literal];
  if (addresses.length === 0) throw new OutboundError("unreachable", "the host name has no address");
  const isAllowed = target.isTls ? isGloballyReachable : isLoopback;
  // The same problem as for a name without an address, so that callers can't probe the names of our network.
  if (!addresses.every(isAllowed)) throw new OutboundError("unreachable", "an address is not globally reachable");
  // IPv4 first: in a network without IPv6 routes, an IPv6 attempt might end only at its time limit.
  return addresses.toSorted((left, right) => left.split(":").length - right.split(":").length).slice(0, maxAddresses);
};

const connect = async (
  { port, isTls, hostname }: OutboundTarget,
  { claim, signal }: UnderWay,
  { dial, addresses }: { dial: Dial; addresses: readonly string[] },
): Promise<Socket> => {
  let last: unknown;
  for (const address of addresses) {
    const party = addressPrefix(address);
    if (!claim.takeFor(party)) continue;
    try {
      const attempt = AbortSignal.any([signal, AbortSignal.timeout(connectMilliseconds)]);
      return await dial({ address, port, tlsName: isTls ? hostname : null }, attempt);
    } catch (error) {
      if (signal.aborted) throw error;
      last = error;
      // A host name can resolve to addresses that its owner doesn't control. The place is released, so that such a name
      // can't block other requests to the address.
      claim.releaseFor(party);
    }
  }
  if (last === undefined) throw busy();
  throw new OutboundError("unreachable", "no connection", { cause: last });
};

const exchange = async (
  target: OutboundTarget,
  { method, headers, body, maxBytes, isStartEnough = false }: OutboundRequest,
  { socket, signal }: { socket: Socket; signal: AbortSignal },
): Promise<OutboundAnswer> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = http.request({
      method,
      path: target.path,
      // With a given connection Node uses no agent, and so no proxy from the environment.
      createConnection: () => socket,
      setHost: false,
      headers: { ...headers, host: target.hostHeader, "accept-encoding": "identity", connection: "close" },
      signal,
    });
    request.once("response", resolve);
    request.on("error", reject);
    // After an unrequested 101, Node closes without a response and without an error.
    request.once("close", () => reject(new OutboundError("bad_answer", "the connection ended without a response")));
    request.end(body);
  });
  const status = response.statusCode ?? 0;
  if (isStartEnough) return { status, headers: response.headers, body: await readStart(response, maxBytes) };
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new OutboundError("bad_answer", "the response is compressed");
  return { status, headers: response.headers, body: await readBody(response, maxBytes) };
};

const readStart = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
};

const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new OutboundError("too_large", `the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
