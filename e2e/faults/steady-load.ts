import http from "node:http";

export type Told = { status: number } | { failure: string };

/** One request on kept connections, sent once: nothing hides a lost one. */
const ask = (url: string, agent: http.Agent): Promise<Told> =>
  new Promise((resolve) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => resolve({ failure: `${code} ${message}` });
    const take = (answer: http.IncomingMessage) => {
      answer.once("error", fail).once("end", () => resolve({ status: answer.statusCode ?? 0 }));
      answer.resume();
    };
    http.get(url, { agent }, take).once("error", fail);
  });

const paths = ["/.well-known/jwks.json", "/.well-known/oauth-authorization-server", "/oauth/status-list", "/readyz"];

/** Sends at a steady rate whatever becomes of it. @returns what ends it, and tells what each request was answered. */
export const startLoad = (baseUrl: string, ratePerSecond: number): (() => Promise<Told[]>) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const asked: Promise<Told>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond);
    while (asked.length < due) asked.push(ask(`${baseUrl}${paths[asked.length % paths.length]}`, agent));
  }, 5);
  return async () => {
    clearInterval(timer);
    const answers = await Promise.all(asked);
    agent.destroy();
    return answers;
  };
};
