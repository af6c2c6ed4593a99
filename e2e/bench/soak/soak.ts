import { parseArgs } from "node:util";
import { findFreeRow } from "#server/cli/checks/free-ports.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { makeActors } from "../actors.ts";
import type { RunResult } from "../load/job.ts";
import { runOnce } from "../measure.ts";
import { makeTemplates, successes } from "../scenarios.ts";
import type { Child } from "../servers/child.ts";
import { startLoadGenerator } from "../servers/contenders.ts";
import { type Product, startProduct } from "../servers/product.ts";
import { type Begin, untilStopped } from "../servers/until-stopped.ts";
import { watchStolenTime } from "../stolen-time.ts";
import { namesByPort, watchMemory } from "./memory.ts";
import { type Period, ratesPerSecond, type SoakedKey, soakedKeys, totalPerSecond } from "./mix.ts";
import { printPeriod, printVerdict } from "./print-soak.ts";

const webProcesses = 2;
const connections = 8;
/** If more than this share of a period's answers fails, the service is broken and the run ends. */
const brokenShare = 0.01;
/** An assertion is valid for two minutes, and all assertions of a period are made before the period starts. */
const longestPeriod = 60;

export const soakUsage = `npm run soak -- [--minutes 30] [--every 60]
sends the requests of the latency targets to a separate service on this machine, ${totalPerSecond} requests a second in total, and prints p99
per endpoint and memory per process every --every seconds; ends with ✗ when latency or memory isn't flat`;

/** @throws StartError with a message of one line. */
const readOptions = (args: readonly string[]): { periods: number; seconds: number } => {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: "string" }, every: { type: "string" } },
  });
  const [minutes, seconds] = [Number(values.minutes ?? 30), Number(values.every ?? 60)];
  if (!(minutes > 0 && minutes <= 240)) throw new StartError("--minutes: up to 240");
  if (!(seconds >= 5 && seconds <= longestPeriod)) throw new StartError(`--every: from 5 to ${longestPeriod} seconds`);
  return { periods: Math.max(1, Math.round((minutes * 60) / seconds)), seconds };
};

/** @throws StartError when too many requests fail, or a rule of `flatRule` is broken. */
export const runSoak = (args: readonly string[]): Promise<void> => {
  const options = readOptions(args);
  return untilStopped(async (begin) => {
    const firstPort = await findFreeRow(namesByPort(webProcesses).length);
    const settings = { METRICS_PORT: String(firstPort), SANDBOX_RESET: "off" };
    const product = await step("service", () => begin(startProduct(webProcesses, settings)));
    const periods = await soak(product, begin, { ...options, firstPort });
    printVerdict(periods);
  });
};

const soak = async (
  product: Product,
  begin: Begin,
  { periods: wanted, seconds, firstPort }: { periods: number; seconds: number; firstPort: number },
): Promise<Period[]> => {
  const loads = new Map<SoakedKey, Child>();
  for (const key of soakedKeys) loads.set(key, await begin(startLoadGenerator()));
  const actors = await step("actors", () => makeActors(product.issuer, product.databaseUrl));
  const templates = makeTemplates({ actors, issuer: product.issuer });
  const run = async (key: SoakedKey): Promise<[SoakedKey, RunResult]> => {
    const load = loads.get(key);
    if (!load) throw new Error(`no client for ${key}`);
    const ratePerSecond = ratesPerSecond[key];
    const job = {
      port: product.port,
      request: await templates[key](),
      expected: successes[key],
      connections,
      seconds,
      ratePerSecond,
      prepared: ratePerSecond * seconds + connections,
    };
    return [key, await runOnce(load, job, brokenShare)];
  };
  const periods: Period[] = [];
  while (periods.length < wanted) {
    const endWatch = watchMemory(product, { firstPort, names: namesByPort(webProcesses) });
    const endStolen = await watchStolenTime();
    const latency = Object.fromEntries(await Promise.all(soakedKeys.map(run))) as Period["latency"];
    periods.push({ latency, stolen: await endStolen(), memory: await endWatch() });
    printPeriod(periods, seconds);
    if (soakedKeys.some((key) => latency[key].failures > 0)) {
      for (const line of await product.complaints()) process.stdout.write(`${line}\n`);
    }
  }
  return periods;
};
