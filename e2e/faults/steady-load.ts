import http from "node:http";
import { formType } from "../support/answers/wire.ts";

/** What each request is answered by a service that works. */
type Target = { method: "GET" | "POST"; path: string; form?: string; status: number };

/** What became of a request: an answer, perhaps to its second sending, or how it was lost. */
export type Told =
  | { target: Target; status: number; repeatedFor: string | null }
  | { target: Target; lost: string; afterMilliseconds: number };

/** Told that this process waits for its database, as whoever asks that wants to know: an answer, and nobody's request. */
export const isUnready = (told: Told): boolean =>
  "status" in told && told.status === 503 && told.target.path === "/readyz";

export const isLost = (told: Told): boolean =>
  "lost" in told || (told.status !== told.target.status && !isUnready(told));

type Sending = { status: number } | { failure: string; isRepeatable: boolean };
type Phase = "connecting" | "waiting for an answer" | "reading the answer";

/** @param agent false: on a connection of its own, which ends with it. */
const send = (baseUrl: string, { method, path, form }: Target, agent: http.Agent | false): Promise<Sending> =>
  new Promise((resolve) => {
    let phase: Phase = "connecting";
    const headers = form === undefined ? {} : { "content-type": formType };
    const request = http.request(baseUrl + path, { method, agent, headers });
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      const { reusedSocket: isKept } = request;
      resolve({
        failure: `${phase} on a ${isKept ? "kept" : "new"} connection: ${code ?? message}`,
        isRepeatable: isKept && method === "GET" && phase === "waiting for an answer",
      });
    };
    const isConnected = () => {
      phase = "waiting for an answer";
    };
    request
      .once("socket", (socket) => (socket.connecting ? socket.once("connect", isConnected) : isConnected()))
      .once("response", (answer) => {
        phase = "reading the answer";
        answer.once("error", fail).once("end", () => resolve({ status: answer.statusCode ?? 0 }));
        answer.resume();
      })
      .once("error", fail)
      .end(form);
  });

/**
 * As any HTTP client does it: a server may close a kept connection in the very moment in which a request is sent on it, so a
 * GET that gets no octet of an answer there is sent once more, on a connection of its own (RFC 9112 §9.3.1, RFC 9110 §9.2.2).
 * Nothing else is: a connection that is refused, an answer cut short and a second failure are requests lost.
 */
const ask = async (baseUrl: string, target: Target, agent: http.Agent | false): Promise<Told> => {
  const startedAt = performance.now();
  const first = await send(baseUrl, target, agent);
  if ("status" in first) return { target, status: first.status, repeatedFor: null };
  const again = first.isRepeatable ? await send(baseUrl, target, false) : null;
  if (again && "status" in again) return { target, status: again.status, repeatedFor: first.failure };
  const lost = again ? `${first.failure}; again ${again.failure}` : first.failure;
  return { target, lost, afterMilliseconds: Math.round(performance.now() - startedAt) };
};

const reads = ["/.well-known/jwks.json", "/.well-known/oauth-authorization-server", "/oauth/status-list", "/readyz"];
export const readTargets: readonly Target[] = reads.map((path) => ({ method: "GET", path, status: 200 }));
/** Of nobody: refused by the endpoint itself. */
export const postTarget: Target = {
  method: "POST",
  path: "/oauth/token",
  form: "grant_type=client_credentials",
  status: 401,
};

/** How many connections are kept. */
export const keptConnections = 32;
/** Of so many requests one comes on a connection of its own, as from a caller who keeps none. */
const perOwnConnection = 7;

/** Sends at a steady rate whatever becomes of it. @returns what ends it, and tells what each request was answered. */
export const startLoad = (
  baseUrl: string,
  ratePerSecond: number,
  targets: readonly Target[] = readTargets,
): (() => Promise<Told[]>) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: keptConnections });
  const asked: Promise<Told>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond);
    while (asked.length < due) {
      const target = targets[asked.length % targets.length];
      if (target) asked.push(ask(baseUrl, target, asked.length % perOwnConnection === 0 ? false : agent));
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    const answers = await Promise.all(asked);
    agent.destroy();
    return answers;
  };
};
