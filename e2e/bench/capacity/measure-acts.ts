import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { step } from "#server/cli/supervisor/steps.ts";
import { type MeasuredService, untilDelivered, vacuum } from "../cost/measured-service.ts";
import { readServiceTotals, type ServiceTotals, usedBetween } from "../cost/service-totals.ts";
import { cpuSecondsOf } from "../cpu-time.ts";
import { median, runAllOnce } from "../measure.ts";
import type { Act, World } from "./acts.ts";
import { sendDeliveries } from "./deliveries.ts";
import { type ActCost, type ActKey, actKeys, type Cpu, type Part, parts } from "./formula.ts";

/** After a run, web processes store what they have counted, and the worker sums it. */
const settleSeconds = 2;
const idleSeconds = 5;
const idleWindows = 7;
const deliveries = 2_000;
const rounds = 3;

/** What an idle service uses per second. It is subtracted from each measurement. */
export type Idle = { cpu: Cpu; walBytes: number; transactions: number };
type Ran = { acts: number; seconds: number; loadSeconds: number };
export type Figures = ActCost & { perSecond: number; loadAverage: number };

/** CPU seconds by part; roles that serve no requests are `other`. */
export const cpuByPart = ({ cpu }: ServiceTotals, loadSeconds = 0): Cpu => {
  const of = { ...byPart(() => 0) };
  const isPart = (role: string): role is Part => (parts as readonly string[]).includes(role);
  for (const [role, seconds] of cpu) of[isPart(role) ? role : "other"] += seconds;
  of.load += loadSeconds;
  return of;
};

export const byPart = (pick: (part: Part) => number): Cpu =>
  Object.fromEntries(parts.map((part) => [part, pick(part)])) as Record<Part, number>;

/** Uses medians, because work that remains from earlier requests affects some of the windows. */
export const measureIdle = async (service: MeasuredService): Promise<Idle> => {
  const windows: Idle[] = [];
  while (windows.length < idleWindows) windows.push(await measureWindow(service));
  const of = (pick: (window: Idle) => number) => median(windows.map(pick));
  return {
    cpu: byPart((part) => of(({ cpu }) => cpu[part])),
    walBytes: of(({ walBytes }) => walBytes),
    transactions: of(({ transactions }) => transactions),
  };
};

const measureWindow = async (service: MeasuredService): Promise<Idle> => {
  const [before, startedAt] = [await readServiceTotals(service), performance.now()];
  await sleep(idleSeconds * 1000);
  const used = usedBetween(before, await readServiceTotals(service));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuByPart(used);
  return {
    cpu: byPart((part) => (cpu[part] * 1000) / seconds),
    walBytes: used.database.walBytes / seconds,
    transactions: used.database.transactions / seconds,
  };
};

export const runAct = async ({ load, product }: MeasuredService, act: Act, requests: number): Promise<Ran> => {
  const job = { ...(await act.job(product.port, requests)), connections: Math.min(act.connections, requests) };
  const { results, seconds, cpuSeconds } = await runAllOnce(load, [job]);
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  return { acts: answered * act.perRequest, seconds, loadSeconds: cpuSeconds };
};

/** The cost of one act and of all work that follows from it. What an idle service uses in this time is subtracted. */
const measure = async (service: MeasuredService, idle: Idle, run: () => Promise<Ran>): Promise<Figures> => {
  const receiver = service.receiver.process.pid ?? 0;
  const [before, receiverBefore, startedAt] = [
    await readServiceTotals(service),
    await cpuSecondsOf(receiver),
    performance.now(),
  ];
  const { acts, seconds, loadSeconds } = await run();
  await untilDelivered(service.product);
  await sleep(settleSeconds * 1000);
  const used = usedBetween(before, await readServiceTotals(service));
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpu = cpuByPart(used, loadSeconds + (await cpuSecondsOf(receiver)) - receiverBefore);
  return {
    cpu: byPart((part) => Math.max(0, cpu[part] * 1000 - idle.cpu[part] * elapsed) / acts),
    walBytes: Math.max(0, used.database.walBytes - idle.walBytes * elapsed) / acts,
    transactions: Math.max(0, used.database.transactions - idle.transactions * elapsed) / acts,
    perSecond: acts / seconds,
    loadAverage: os.loadavg()[0] ?? Number.NaN,
  };
};

const aloneRequests = 500;

/** PostgreSQL's CPU time per act if requests don't share statements. It isn't measured for deliveries. */
export const measureAlone = async (
  service: MeasuredService,
  { acts }: World,
  idle: Idle,
): Promise<Partial<Record<ActKey, number>>> => {
  const alone: Partial<Record<ActKey, number>> = {};
  for (const act of acts) {
    const requests = Math.min(act.requests, aloneRequests);
    const { cpu } = await measure(service, idle, () => runAct(service, { ...act, connections: 1 }, requests));
    alone[act.key] = cpu.postgres;
  }
  return alone;
};

/** Measures each act in turn, several times. @returns the median of each figure. */
export const measureActs = async (
  service: MeasuredService,
  { acts }: World,
  idle: Idle,
): Promise<Record<ActKey, Figures>> => {
  const runs = new Map<ActKey, Figures[]>();
  for (let round = 0; round < rounds; round++) {
    await step(`round ${round + 1} of ${rounds}`, async () => {
      await vacuum(service);
      for (const key of actKeys) {
        const act = acts.find((one) => one.key === key);
        const run = act
          ? () => runAct(service, act, act.requests)
          : async () => {
              const seconds = await sendDeliveries(service.product, deliveries);
              return { acts: deliveries, seconds, loadSeconds: 0 };
            };
        runs.set(key, [...(runs.get(key) ?? []), await measure(service, idle, run)]);
      }
    });
  }
  return Object.fromEntries(actKeys.map((key) => [key, medianOf(runs.get(key) ?? [])])) as Record<ActKey, Figures>;
};

const medianOf = (all: readonly Figures[]): Figures => {
  const of = (pick: (one: Figures) => number) => median(all.map(pick));
  return {
    cpu: byPart((part) => of(({ cpu }) => cpu[part])),
    walBytes: of(({ walBytes }) => walBytes),
    transactions: of(({ transactions }) => transactions),
    perSecond: of(({ perSecond }) => perSecond),
    loadAverage: of(({ loadAverage }) => loadAverage),
  };
};
