import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import { ownUserAgent } from "../../kernel/requests/own-agent.ts";

/** Time limit for the TCP and TLS handshakes of each connection. */
const connectMilliseconds = 3_000;
/** Time limit for the whole request with redirects. If nothing responds, a repeated run takes less than 15 s. */
const totalMilliseconds = 5_000;
const maxRedirects = 5;

export type VisitRequest = {
  method?: "GET" | "POST" | "OPTIONS";
  headers?: Readonly<Record<string, string>>;
  body?: string;

  signal?: AbortSignal;
};
export type VisitResponse = { status: number; headers: IncomingHttpHeaders; text: string };

/** @throws NoResponse. */
export type Visit = (url: string, request?: VisitRequest) => Promise<VisitResponse>;

/** There was no response, or none in time. The status page shows the message. */
export class NoResponse extends Error {}

/**
 * Sends a request as a new visitor does, over a new connection that is closed afterwards. An open connection could
 * still work while new visitors can't connect, for example because the process that accepts connections has stopped.
 * GET follows redirects.
 */
export const visit: Visit = async (url, request = {}) => {
  const deadline = AbortSignal.timeout(totalMilliseconds);
  let at = url;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await exchange(at, request, deadline);
    const { location } = answer.headers;
    const next = answer.status >= 300 && answer.status < 400 && location ? URL.parse(location, at) : null;
    if (next === null || (request.method ?? "GET") !== "GET" || redirects === maxRedirects) return answer;
    at = next.href;
  }
};

const exchange = async (url: string, request: VisitRequest, deadline: AbortSignal): Promise<VisitResponse> => {
  const { method = "GET", body, signal } = request;
  const headers = { "user-agent": ownUserAgent, ...request.headers };
  const isTls = url.startsWith("https:");
  const connecting = new AbortController();
  const abort = AbortSignal.any([deadline, connecting.signal, ...(signal ? [signal] : [])]);
  const timer = setTimeout(() => connecting.abort(), connectMilliseconds);
  try {
    // `agent: false` makes an agent for this request alone: it keeps no connection, and sends `Connection: close`.
    const outgoing = (isTls ? https : http).request(url, { method, headers, agent: false, signal: abort });
    outgoing.once("socket", (socket) => {
      socket.once(isTls ? "secureConnect" : "connect", () => clearTimeout(timer));
    });
    outgoing.end(body);
    return await readResponse(outgoing);
  } catch (cause) {
    throw new NoResponse(reasonOf({ connecting: connecting.signal, deadline, signal, cause }), { cause });
  } finally {
    clearTimeout(timer);
  }
};

const readResponse = async (outgoing: http.ClientRequest): Promise<VisitResponse> => {
  const incoming = await new Promise<http.IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    // Not `once`: a later error that nothing listens for would end the process.
    outgoing.on("error", reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: Buffer.concat(chunks).toString() };
};

type Failure = { connecting: AbortSignal; deadline: AbortSignal; signal: AbortSignal | undefined; cause: unknown };

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, and a certificate for another host. */
const certificateErrors = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/;

const reasonOf = ({ connecting, deadline, signal, cause }: Failure): string => {
  if (connecting.aborted) return `no connection within ${connectMilliseconds / 1000} s`;
  if (deadline.aborted) return `no response within ${totalMilliseconds / 1000} s`;
  if (signal?.aborted) return "timed out";
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return certificateErrors.test(code) ? "certificate not accepted" : "no response";
};
