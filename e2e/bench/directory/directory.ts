import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describeInstance, startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { quantileOf } from "../../support/quantile.ts";
import { cpuSecondsOf } from "../cpu-time.ts";
import { untilStopped } from "../servers/until-stopped.ts";
import { fillDirectory } from "./fill.ts";

const participants = 100_000;
/** The target (docs/spec/directory.md, Performance targets). */
const p95Milliseconds = 50;
const warmUps = 10;
const reads = 200;
const publishSeconds = 120;

/**
 * Searches and reads a directory with 100,000 participants over HTTP, one request at a time.
 * @throws StartError when a request fails or a p95 is above the target.
 */
export const runDirectory = (): Promise<void> =>
  untilStopped(async (begin) => {
    const instance = await step("service", async () =>
      startTestInstance(await testEnvironment({ WEB_CONCURRENCY: "1" })),
    );
    await begin(Promise.resolve({ stop: () => instance.stop().then(instance.remove) }));
    const { E2E_SANDBOX_URL: baseUrl = "", TEST_DATABASE_URL: server = "" } = await describeInstance(instance);
    const connectionString = Object.assign(new URL(server), { pathname: "paygrant_sandbox" }).toString();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await begin(Promise.resolve({ stop: () => client.end() }));
    await step(`${participants.toLocaleString("en-GB")} participants`, () => fillDirectory(client, participants));
    await step("their log", () => untilPublished(client));
    const slow: string[] = [];
    for (const { title, ...kind } of kindsOf(baseUrl)) {
      const { failed, p50, p95, cpu } = await measure(kind, instance.pid);
      const isSlow = failed > 0 || !(p95 <= p95Milliseconds);
      if (isSlow) slow.push(title);
      const figures = `median ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms`;
      const failures = failed > 0 ? `, ${failed} failed` : "";
      process.stdout.write(`${isSlow ? "✗" : "✓"} ${title}  ${figures}, load ${loadavg()[0]?.toFixed(1)}${failures}\n`);
    }
    if (slow.length > 0) throw new StartError(`✗ p95 above ${p95Milliseconds} ms: ${slow.join("; ")}`);
  });

/** Waits until the worker has published all entries of the log, so that this work doesn't affect the figures. */
const untilPublished = async (client: pg.Client): Promise<void> => {
  const deadline = performance.now() + publishSeconds * 1000;
  const isPublished = async () =>
    (await client.query("SELECT FROM directory_log l JOIN directory_log_checkpoint c ON c.size = l.size")).rowCount ===
    1;
  while (!(await isPublished())) {
    if (performance.now() > deadline) throw new StartError(`the log wasn't published within ${publishSeconds} s`);
    await sleep(500);
  }
};

type Kind = { urlOf: (round: number) => string; accept?: string; isUnchanged?: boolean };

const kindsOf = (baseUrl: string): (Kind & { title: string })[] => {
  const api = `${baseUrl}/directory/v1`;
  const list = `${api}/participants`;
  const idOf = (round: number) => `ptc_many${1 + ((round * 7919) % participants)}`;
  const filters = "role=merchant&currency=EUR&status=active&capability=grant:client_credentials&environment=sandbox";
  const same = (url: string) => () => url;
  const since = () => new Date(Date.now() - 6 * 3600 * 1000).toISOString();
  const changesUrlOf = (round: number) => `${api}/changes?cursor=${100 * ((round * 7919) % (participants / 100))}`;
  const deepCursor = Buffer.from(`${Date.now() - 50_000_000} ptc_many1`).toString("base64url");
  return [
    { title: "search: one domain", urlOf: (round) => `${list}?q=shop${1 + ((round * 7919) % participants)}.example` },
    { title: "search: no match", urlOf: (round) => `${list}?q=nothing${round}` },
    { title: "search: a word in 12% of the names", urlOf: same(`${list}?q=alpine`) },
    { title: "search: a word in 60% of the names", urlOf: same(`${list}?q=market`) },
    { title: "search: one letter, 62% of the names", urlOf: same(`${list}?q=m`) },
    { title: "search: two letters, 13% of the names", urlOf: same(`${list}?q=al`) },
    { title: "search: two words", urlOf: same(`${list}?q=market+alpine`) },
    { title: "search: a page in the middle", urlOf: same(`${list}?q=alpine&cursor=${deepCursor}`) },
    { title: "search: 100 results", urlOf: same(`${list}?q=alpine&limit=100`) },
    { title: "search: 12%, all filters", urlOf: () => `${list}?q=alpine&${filters}&updated_since=${since()}` },
    { title: "search: 60%, all filters", urlOf: () => `${list}?q=market&${filters}&updated_since=${since()}` },
    { title: "search: 60%, a filter without matches", urlOf: same(`${list}?q=market&currency=JPY&role=client`) },
    { title: "filters", urlOf: same(`${list}?${filters}`) },
    { title: "list", urlOf: same(list) },
    { title: "page /directory", urlOf: same(`${baseUrl}/directory`) },
    { title: "page /directory, 12% of the names", urlOf: same(`${baseUrl}/directory?q=alpine`) },
    { title: "page /directory, 60% of the names", urlOf: same(`${baseUrl}/directory?q=market`) },
    { title: "participant", urlOf: (round) => `${list}/${idOf(round)}` },
    { title: "participant, unchanged (304)", urlOf: (round) => `${list}/${idOf(round)}`, isUnchanged: true },
    { title: "participant, signed", urlOf: (round) => `${list}/${idOf(round)}`, accept: "application/jwt" },
    { title: "history", urlOf: (round) => `${list}/${idOf(round)}/history` },
    {
      title: "changes, 100 a page",
      urlOf: changesUrlOf,
    },
    {
      title: "changes, Atom",
      urlOf: changesUrlOf,
      accept: "application/atom+xml",
    },
  ];
};

/** Times in milliseconds as the client sees them. `cpu`: CPU time of all processes of the service, per request. */
const measure = async ({ urlOf, accept, isUnchanged = false }: Kind, pid: number) => {
  const durations: number[] = [];
  let failed = 0;
  let cpuSeconds = 0;
  const read = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(url, { headers: { ...(accept ? { accept } : {}), ...headers }, redirect: "manual" });
    await response.arrayBuffer();
    return response;
  };
  for (let round = 0; round < warmUps + reads; round++) {
    if (round === warmUps) cpuSeconds = await cpuSecondsOf(pid);
    const url = urlOf(round);
    const etag = isUnchanged ? ((await read(url, {})).headers.get("etag") ?? "") : null;
    const startedAt = performance.now();
    const { status } = await read(url, etag === null ? {} : { "if-none-match": etag });
    if (round >= warmUps) durations.push(performance.now() - startedAt);
    if (status !== (isUnchanged ? 304 : 200)) failed++;
  }
  // With `isUnchanged`, two requests are made in each round.
  const requests = reads * (isUnchanged ? 2 : 1);
  const cpu = (((await cpuSecondsOf(pid)) - cpuSeconds) * 1000) / requests;
  durations.sort((a, b) => a - b);
  return { failed, p50: quantileOf(durations, 0.5), p95: quantileOf(durations, 0.95), cpu };
};
