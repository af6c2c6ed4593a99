import { type Party, postAs } from "../../support/oauth/parties.ts";
import { lateMilliseconds } from "../steady-load.ts";

/**
 * One token request: when its response arrived, in milliseconds, and its status. Status 0: no response; see `failure`.
 * `isLate`: nginx closed the connection after so long that a busy machine may have sent the request too late.
 */
export type TokenAnswer = {
  at: number;
  status: number;
  hasRetryAfter: boolean;
  failure: string | null;
  isLate: boolean;
};

/** How `fetch` reports a connection that the server closed before its response. */
const closedByServer = "UND_ERR_SOCKET";

export const requestToken = async (party: Party): Promise<TokenAnswer> => {
  const startedAt = Date.now();
  try {
    const { status, headers } = await postAs(party, "/oauth/token", { form: { grant_type: "client_credentials" } });
    return { at: Date.now(), status, hasRetryAfter: headers.has("retry-after"), failure: null, isLate: false };
  } catch (error) {
    const at = Date.now();
    const cause = (error as { cause?: { code?: string } }).cause;
    const failure = `${String(cause ?? error)} after ${at - startedAt} ms`;
    const isLate = cause?.code === closedByServer && at - startedAt >= lateMilliseconds;
    return { at, status: 0, hasRetryAfter: false, failure, isLate };
  }
};

/**
 * Requests tokens at a steady rate. Each request writes to the database.
 * @returns a function that ends the load and returns the answers, in the order of their arrival.
 */
export const requestTokens = (party: Party, perSecond: number): (() => Promise<TokenAnswer[]>) => {
  const sent: Promise<TokenAnswer>[] = [];
  const startedAt = Date.now();
  const timer = setInterval(() => {
    const due = Math.floor(((Date.now() - startedAt) / 1000) * perSecond);
    while (sent.length < due) sent.push(requestToken(party));
  }, 10);
  return async () => {
    clearInterval(timer);
    return (await Promise.all(sent)).toSorted((left, right) => left.at - right.at);
  };
};

/** A time without a successful request, in milliseconds since 1970. */
export type Gap = { from: number; to: number };

export const secondsOf = ({ from, to }: Gap): number => (to - from) / 1_000;

/** The longest time without a successful request, from the first request to the last. */
export const findGap = (answers: readonly TokenAnswer[]): Gap => {
  const successes = answers.filter(({ status }) => status === 200).map(({ at }) => at);
  const edges = [...answers.slice(0, 1).map(({ at }) => at), ...successes, ...answers.slice(-1).map(({ at }) => at)];
  let longest: Gap = { from: edges[0] ?? 0, to: edges[0] ?? 0 };
  for (const [index, to] of edges.entries()) {
    const from = edges[index - 1] ?? to;
    if (to - from > longest.to - longest.from) longest = { from, to };
  }
  return longest;
};

/** The time from the first failed request to the last. */
export const findFailing = (answers: readonly TokenAnswer[]): Gap => {
  const failures = answers.filter(({ status }) => status !== 200).map(({ at }) => at);
  const from = failures[0] ?? 0;
  return { from, to: failures.at(-1) ?? from };
};

/** Requests a second outside the gap. */
export const rateOf = (times: readonly number[], gap: Gap): number => {
  const outside = times.filter((at) => at <= gap.from || at >= gap.to);
  const [first = 0] = times;
  const seconds = ((times.at(-1) ?? 0) - first) / 1_000 - secondsOf(gap);
  return seconds > 0 ? outside.length / seconds : 0;
};

export const countStatuses = (answers: readonly TokenAnswer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, own]) => [String(status), own.length]),
  );
