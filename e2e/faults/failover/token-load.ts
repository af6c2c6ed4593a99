import { type Party, postAs } from "../../support/oauth/parties.ts";

/** One token request: when it was sent, in milliseconds, and its status; 0 if there was no answer. */
export type TokenAnswer = { at: number; status: number; hasRetryAfter: boolean };

const request = async (party: Party): Promise<TokenAnswer> => {
  const at = Date.now();
  try {
    const { status, headers } = await postAs(party, "/oauth/token", { form: { grant_type: "client_credentials" } });
    return { at, status, hasRetryAfter: headers.has("retry-after") };
  } catch {
    return { at, status: 0, hasRetryAfter: false };
  }
};

/** Requests tokens at a steady rate. Each request writes. @returns a function that ends the load. */
export const requestTokens = (party: Party, perSecond: number): (() => Promise<TokenAnswer[]>) => {
  const sent: Promise<TokenAnswer>[] = [];
  const startedAt = Date.now();
  const timer = setInterval(() => {
    const due = Math.floor(((Date.now() - startedAt) / 1000) * perSecond);
    while (sent.length < due) sent.push(request(party));
  }, 10);
  return async () => {
    clearInterval(timer);
    return Promise.all(sent);
  };
};

/** The longest time between two successful requests, in seconds. */
export const secondsWithoutWrites = (answers: readonly TokenAnswer[]): number => {
  const successes = answers.filter(({ status }) => status === 200).map(({ at }) => at);
  const gaps = successes.map((at, index) => at - (successes[index - 1] ?? at));
  return Math.max(0, ...gaps) / 1000;
};

export const countStatuses = (answers: readonly TokenAnswer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, own]) => [String(status), own.length]),
  );
