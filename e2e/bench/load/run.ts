import { setTimeout as sleep } from "node:timers/promises";
import { quantileOf } from "../../support/quantile.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { Job, RunResult, Together } from "./job.ts";
import { noOperation, prepareRequests } from "./requests.ts";
import { makeCheck } from "./shapes.ts";

const maxSamples = 3;

/**
 * All requests and connections are prepared before the clock starts. A process accepts one connection in each turn of
 * its event loop. When 256 connections were opened under load, the last one was served a second late and determined the
 * p99. The prepared connections are used so soon that the server doesn't close them as idle (408, RFC 9110 §15.5.9).
 */
export const runJob = async (job: Job): Promise<RunResult> => (await prepareJob(job))();

/** Runs several jobs at the same time, once all of them are prepared. */
export const runTogether = async (jobs: readonly Job[]): Promise<Together> => {
  const runs = await Promise.all(jobs.map(prepareJob));
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const results = await Promise.all(runs.map((run) => run()));
  const { user, system } = process.cpuUsage(before);
  return { results, seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
};

const prepareJob = async (job: Job): Promise<() => Promise<RunResult>> => {
  const requests = prepareRequests(job);
  const check = makeCheck(job.expected);
  const connections = await Promise.all(Array.from({ length: job.connections }, () => openConnection(job.port)));
  await Promise.all(connections.map((connection) => connection.send(noOperation(job.port))));
  return () => runPrepared(job, { requests, connections, check });
};

type Prepared = {
  requests: readonly Buffer[];
  connections: readonly Connection[];
  check: ReturnType<typeof makeCheck>;
};

const runPrepared = async (job: Job, { requests, connections, check }: Prepared): Promise<RunResult> => {
  const latencies: number[] = [];
  const samples: string[] = [];
  const isReused = job.request.body.kind === "none";
  let failures = 0;
  let taken = 0;
  const next = (): Buffer | undefined => requests[isReused ? 0 : taken++];
  const sendRequest = async (connection: Connection, request: Buffer, requestedAt: number): Promise<void> => {
    const answer = await connection.send(request);
    if (check(answer)) {
      latencies.push(performance.now() - requestedAt);
      return;
    }
    failures++;
    if (samples.length < maxSamples) samples.push(`${answer.status} ${answer.body.toString().slice(0, 300)}`);
  };
  const startedAt = performance.now();
  const until = startedAt + job.seconds * 1000;
  const pace = { connections, next, sendRequest, until };
  try {
    await (job.ratePerSecond === null ? runClosed(pace) : runPaced(pace, job.ratePerSecond));
  } catch (error) {
    failures++;
    samples.push(String(error));
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    answered: latencies.length,
    seconds,
    failures,
    samples,
    perSecond: latencies.length / seconds,
    p50: quantileOf(latencies, 0.5),
    p95: quantileOf(latencies, 0.95),
    p99: quantileOf(latencies, 0.99),
  };
};

type Pace = {
  connections: readonly Connection[];
  next: () => Buffer | undefined;
  sendRequest: (connection: Connection, request: Buffer, requestedAt: number) => Promise<void>;
  until: number;
};

/** The maximum that the server can serve: each connection sends again as soon as it is answered. */
const runClosed = async ({ connections, next, sendRequest, until }: Pace): Promise<void> => {
  const drive = async (connection: Connection) => {
    for (let requestedAt = performance.now(); requestedAt < until; requestedAt = performance.now()) {
      const request = next();
      if (!request) return;
      await sendRequest(connection, request, requestedAt);
    }
  };
  await Promise.all(connections.map(drive));
};

/**
 * Arrivals at an even rate. An arrival waits if every connection is busy. The wait is part of the measured time, so
 * that a slow server can't reduce the load (coordinated omission).
 */
const runPaced = async ({ connections, next, sendRequest, until }: Pace, ratePerSecond: number): Promise<void> => {
  const free = [...connections];
  /** Arrivals that found no free connection, in the order of their arrival. */
  const waiting: { requestedAt: number; count: number }[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let arrived = 0;
  const dispatch = () => {
    for (let first = waiting[0]; first && free.length > 0; first = waiting[0]) {
      // Connections are used in rotation, as if many clients used them. If the last freed connection were used, one
      // process would get most of the load.
      const [connection, request] = [free.shift(), next()];
      if (!connection || !request) return;
      if (--first.count === 0) waiting.shift();
      const work = sendRequest(connection, request, first.requestedAt).then(() => {
        free.push(connection);
        underWay.delete(work);
        dispatch();
      });
      underWay.add(work);
    }
  };
  for (let now = startedAt; now < until; now = performance.now()) {
    const wanted = Math.floor(((now - startedAt) / 1000) * ratePerSecond);
    if (wanted > arrived) waiting.push({ requestedAt: now, count: wanted - arrived });
    arrived = wanted;
    dispatch();
    await sleep(1);
  }
  while (underWay.size > 0) await Promise.all(underWay);
};
