import http from "node:http";
import { formType } from "../support/answers/wire.ts";

/** A request, and the status with which a working service answers it. */
type Target = { method: "GET" | "POST"; path: string; form?: string; status: number };

/** The status of the answer to the first or second attempt, or how the request was lost. */
export type RequestResult =
  | { target: Target; status: number; repeatedFor: string | null }
  | { target: Target; lost: string; afterMilliseconds: number };

/** Whether a readiness check reported a lost database. This counts as an answer, not as a lost request. */
export const isUnready = (result: RequestResult): boolean =>
  "status" in result && result.status === 503 && result.target.path === "/readyz";

export const isLost = (result: RequestResult): boolean =>
  "lost" in result || (result.status !== result.target.status && !isUnready(result));

type Sending = { status: number } | { failure: string; isRepeatable: boolean };
type Phase = "connecting" | "waiting for an answer" | "reading the answer";

/** The request didn't arrive in time (RFC 9110 §15.5.9), for example because the machine was busy. */
const requestTimeout = 408;

/** Servers close a connection without a request after 15 s. On a busy machine, this process may send it later. */
export const lateMilliseconds = 10_000;
const beatMilliseconds = 500;

/** @returns a function that ends the watch. It returns true if more than 10 s passed, most of them in suspension. */
const watchForSuspension = (): (() => boolean) => {
  const startedAt = performance.now();
  let beats = 0;
  const timer = setInterval(() => beats++, beatMilliseconds);
  return () => {
    clearInterval(timer);
    const milliseconds = performance.now() - startedAt;
    return milliseconds > lateMilliseconds && beats < milliseconds / beatMilliseconds / 2;
  };
};

/** @param agent false: on a separate connection, which ends with the request. */
const send = (baseUrl: string, { method, path, form }: Target, agent: http.Agent | false): Promise<Sending> =>
  new Promise((resolve) => {
    let phase: Phase = "connecting";
    let isLate = false;
    const headers = form === undefined ? {} : { "content-type": formType };
    const request = http.request(baseUrl + path, { method, agent, headers });
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      const { reusedSocket: isKept } = request;
      resolve({
        failure: `${phase} on a ${isKept ? "kept" : "new"} connection: ${code ?? message}`,
        isRepeatable: (isKept || isLate) && method === "GET" && phase === "waiting for an answer",
      });
    };
    const isConnected = () => {
      phase = "waiting for an answer";
    };
    request
      .once("socket", (socket) => {
        if (!socket.connecting) return isConnected();
        const endWatch = watchForSuspension();
        socket.once("close", endWatch);
        socket.once("connect", () => {
          isLate = endWatch();
          isConnected();
        });
      })
      .once("response", (answer) => {
        phase = "reading the answer";
        const { statusCode: status = 0 } = answer;
        const isLateRequest = status === requestTimeout && method === "GET";
        const outcome = isLateRequest ? { failure: `answered with ${status}`, isRepeatable: true } : { status };
        answer.once("error", fail).once("end", () => resolve(outcome));
        answer.resume();
      })
      .once("error", fail)
      .end(form);
  });

/**
 * A server may close a connection on which no request has arrived for some time, while a request is being sent.
 * Therefore, a GET without any response is sent once more on a new connection, as HTTP clients do (RFC 9112 §9.3.1,
 * RFC 9110 §9.2.2). The same applies to a GET that was answered with 408. Nothing else is repeated: a refused
 * connection, a truncated answer and a second failure are lost
 * requests.
 */
const ask = async (baseUrl: string, target: Target, agent: http.Agent | false): Promise<RequestResult> => {
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
/** A POST from an unknown client, which the endpoint itself refuses. */
export const postTarget: Target = {
  method: "POST",
  path: "/oauth/token",
  form: "grant_type=client_credentials",
  status: 401,
};

/** How many connections are kept. */
export const keptConnections = 32;
/** One in this number of requests uses a separate connection, like a caller that keeps no connections open. */
const perOwnConnection = 7;

/**
 * Sends requests at a steady rate that doesn't depend on the results.
 * @returns a function that stops the load and returns the result of each request.
 */
export const startLoad = (
  baseUrl: string,
  ratePerSecond: number,
  targets: readonly Target[] = readTargets,
): (() => Promise<RequestResult[]>) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: keptConnections });
  const sent: Promise<RequestResult>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond);
    while (sent.length < due) {
      const target = targets[sent.length % targets.length];
      if (target) sent.push(ask(baseUrl, target, sent.length % perOwnConnection === 0 ? false : agent));
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    const answers = await Promise.all(sent);
    agent.destroy();
    return answers;
  };
};
