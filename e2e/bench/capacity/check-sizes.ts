import os from "node:os";
import { step } from "#server/cli/supervisor/steps.ts";
import { type MeasuredService, untilDelivered, vacuum } from "../cost/measured-service.ts";
import { readServiceTotals, usedBetween } from "../cost/service-totals.ts";
import { cpuSecondsOf, pidsByRole } from "../cpu-time.ts";
import { runAllOnce } from "../measure.ts";
import type { World } from "./acts.ts";
import {
  type ActCost,
  type Costs,
  type Cpu,
  costOfMix,
  cpuOf,
  type Group,
  type Mix,
  type Part,
  parts,
  saturatedPerSecond,
} from "./formula.ts";
import { byPart, cpuByPart, type Idle } from "./measure-acts.ts";
import { busySecondsOf, listCores, pin } from "./pin.ts";

/** What a shop's agents do for one charge. Usage events are sent in batches. */
export const usualMix = {
  token: 1.5,
  par: 1,
  introspection: 3,
  verification: 5,
  charge: 1,
  delivery: 1,
  "usage-batch": 10,
} as const satisfies Mix;

const mixes = 1_000;
const pollMilliseconds = 100;

type Size = { title: string; groups: readonly { parts: readonly Part[]; cores: readonly number[] }[] };
export type Checked = {
  title: string;
  perSecond: number;
  /** by the formula, for the cores that other programs left free */
  expected: number;
  /** free cores of each group */
  free: readonly number[];
  /** the share of its free cores that each group used */
  used: readonly number[];
  /** CPU time of one mix in milliseconds */
  cpu: Cpu;
  loadAverage: number;
};

const sizesOf = ([first = 0, second = 1]: readonly number[]): Size[] => {
  const others = parts.filter((part) => part !== "postgres");
  return [
    {
      title: "PostgreSQL on one core, all others on another",
      groups: [
        { parts: ["postgres"], cores: [first] },
        { parts: others, cores: [second] },
      ],
    },
    { title: "all on one core", groups: [{ parts, cores: [first] }] },
    { title: "all on two cores", groups: [{ parts, cores: [first, second] }] },
  ];
};

/** Runs the mix at the highest rate on one and on two cores, and compares it with the formula. */
export const checkSizes = async (
  service: MeasuredService,
  world: World,
  { costs, idle }: { costs: Costs; idle: Idle },
): Promise<Checked[]> => {
  const cores = await listCores();
  if (cores.length < 2) return [];
  const cost = costOfMix(costs, usualMix);
  const checked: Checked[] = [];
  try {
    for (const size of sizesOf(cores)) {
      await vacuum(service);
      checked.push(await step(size.title, () => checkSize(service, world, { size, cost, idle })));
    }
  } finally {
    await pin([...(await pidsOf(service)).values()].flat(), cores);
  }
  return checked;
};

const pidsOf = async ({ product, load, receiver }: MeasuredService): Promise<Map<Part, number[]>> => {
  const pids = new Map<Part, number[]>(parts.map((part) => [part, []]));
  for (const [role, own] of await pidsByRole(product.pid)) {
    const part = parts.find((one) => one === role) ?? "other";
    pids.set(part, [...(pids.get(part) ?? []), ...own]);
  }
  return pids.set("load", [load.process.pid ?? 0, receiver.process.pid ?? 0]);
};

type Checking = { size: Size; cost: ActCost; idle: Idle };

const checkSize = async (service: MeasuredService, world: World, { size, cost, idle }: Checking): Promise<Checked> => {
  const pids = await pidsOf(service);
  for (const { parts: pinned, cores } of size.groups)
    await pin(
      pinned.flatMap((part) => pids.get(part) ?? []),
      cores,
    );
  const read = async () => ({
    totals: await readServiceTotals(service),
    load: await sumOf((pids.get("load") ?? []).map(cpuSecondsOf)),
    busy: await Promise.all(size.groups.map(({ cores }) => busySecondsOf(cores))),
    at: performance.now(),
  });
  const before = await read();
  const seconds = await runMixes(service, world);
  const after = await read();
  const elapsed = (after.at - before.at) / 1000;
  const own = cpuByPart(usedBetween(before.totals, after.totals), after.load - before.load);
  const groups = size.groups.map(({ parts: of, cores }, index) => {
    const busy = (after.busy[index] ?? 0) - (before.busy[index] ?? 0);
    const used = cpuOf(own, of) / elapsed;
    const available = cores.length - Math.max(0, busy / elapsed - used);
    return { parts: of, available, used: used / available, cores: available - cpuOf(idle.cpu, of) / 1000 };
  });
  return {
    title: size.title,
    perSecond: mixes / seconds,
    expected: saturatedPerSecond(cost, groups satisfies readonly Group[]),
    free: groups.map(({ available }) => available),
    used: groups.map(({ used }) => used),
    cpu: byPart((part) => ((own[part] - (idle.cpu[part] / 1000) * elapsed) * 1000) / mixes),
    loadAverage: os.loadavg()[0] ?? Number.NaN,
  };
};

const sumOf = async (values: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(values)).reduce((sum, each) => sum + each, 0);

/** @returns the seconds until the last request was answered and the last event delivered. */
const runMixes = async ({ product, load }: MeasuredService, { acts, announced }: World): Promise<number> => {
  const wanted = acts.flatMap((act) => {
    const count = (usualMix as Mix)[act.key] ?? 0;
    return count === 0
      ? []
      : [{ act: act.key === "charge" ? announced : act, requests: (mixes * count) / act.perRequest }];
  });
  const jobs = await Promise.all(wanted.map(({ act, requests }) => act.job(product.port, requests)));
  const { seconds } = await runAllOnce(load, jobs);
  const answeredAt = performance.now();
  await untilDelivered(product, pollMilliseconds);
  return seconds + (performance.now() - answeredAt) / 1000;
};
