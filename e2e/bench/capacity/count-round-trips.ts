import { setTimeout as sleep } from "node:timers/promises";
import { type MeasuredService, untilDelivered } from "../cost/measured-service.ts";
import { pidsByRole } from "../cpu-time.ts";
import { runAllOnce } from "../measure.ts";
import { type Child, sendToChild } from "../servers/child.ts";
import { startProbedWeb, startProbedWorker } from "../servers/contenders.ts";
import type { Product } from "../servers/product.ts";
import type { Begin } from "../servers/until-stopped.ts";
import type { Act, World } from "./acts.ts";
import { sendDeliveries } from "./deliveries.ts";
import { type ActKey, actKeys } from "./formula.ts";

/**
 * Statements per act. Each is one round trip, because a connection sends a statement only after the answer to its
 * previous statement.
 */
export type RoundTrips = {
  /** of a web process, for one request at a time */
  alone: number;
  /** of a web process, with as many requests at a time as in the measurement */
  shared: number;
  /** of the worker, with the same requests */
  worker: number;
};

const settleSeconds = 3;
const idleSeconds = 10;
const aloneRequests = 50;
const sharedShare = 0.2;
const deliveries = 500;

/**
 * Counts the statements of a separate web process and a separate worker. Meanwhile, the service's workers are stopped,
 * so that all work that follows from a request is counted.
 */
export const countRoundTrips = async (
  begin: Begin,
  service: MeasuredService,
  { acts }: World,
): Promise<Record<ActKey, RoundTrips>> => {
  const { product } = service;
  const web = await begin(startProbedWeb(product.webEnvironment).then((one) => ({ ...one, stop: one.child.stop })));
  const worker = await begin(
    startProbedWorker(product.webEnvironment).then((one) => ({ ...one, stop: one.child.stop })),
  );
  const { resume } = await stopWorkers(product);
  try {
    const idle = await countOf(worker.child, () => sleep(idleSeconds * 1000));
    const settled = async (work: () => Promise<unknown>): Promise<number> => {
      const startedAt = performance.now();
      const count = await countOf(worker.child, async () => {
        await work();
        await untilDelivered(product);
        await sleep(settleSeconds * 1000);
      });
      return Math.max(0, count - (idle / idleSeconds) * ((performance.now() - startedAt) / 1000));
    };
    const counted: [ActKey, RoundTrips][] = [];
    for (const key of actKeys) {
      const act = acts.find((one) => one.key === key);
      counted.push([
        key,
        act
          ? await countAct(service, { act, web, settled })
          : { alone: 0, shared: 0, worker: (await settled(() => sendDeliveries(product, deliveries))) / deliveries },
      ]);
    }
    return Object.fromEntries(counted) as Record<ActKey, RoundTrips>;
  } finally {
    resume();
    await worker.child.stop();
    await web.child.stop();
  }
};

type Counting = {
  act: Act;
  web: { port: number; child: Child };
  settled: (work: () => Promise<unknown>) => Promise<number>;
};

const countAct = async ({ load }: MeasuredService, { act, web, settled }: Counting): Promise<RoundTrips> => {
  const run = async (requests: number, connections: number): Promise<number> => {
    const job = { ...(await act.job(web.port, requests)), connections };
    const sent = await countOf(web.child, () => runAllOnce(load, [job]));
    return sent / (requests * act.perRequest);
  };
  await run(act.connections, act.connections);
  const alone = await run(aloneRequests, 1);
  const requests = Math.max(act.connections, Math.ceil(act.requests * sharedShare));
  let shared = Number.NaN;
  const followed = await settled(async () => {
    shared = await run(requests, act.connections);
  });
  return { alone, shared, worker: followed / (requests * act.perRequest) };
};

/** @returns the number of statements that the process sends during `work`. */
const countOf = async (child: Child, work: () => Promise<unknown>): Promise<number> => {
  const read = async () => (await sendToChild<{ statements: number }>(child, { command: "statements" })).statements;
  const before = await read();
  await work();
  return (await read()) - before;
};

const stopWorkers = async ({ pid }: Product): Promise<{ resume: () => void }> => {
  const pids = (await pidsByRole(pid)).get("worker") ?? [];
  for (const one of pids) process.kill(one, "SIGSTOP");
  return {
    resume: () => {
      for (const one of pids) process.kill(one, "SIGCONT");
    },
  };
};
