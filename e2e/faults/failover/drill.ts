import { cp, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "#server/cli/supervisor/steps.ts";
import { type Fault, faults } from "./cluster-faults.ts";
import { formatRounds } from "./figures.ts";
import { type Rates, type Round, runRound } from "./round.ts";
import { openWorld, type World } from "./world.ts";

export const drillUsage = `npm run ha -- drill [--rounds 12] [--tokens 100] [--charges 20] [--only TEXT]
runs the faults of e2e/faults/failover one after the other under load (--tokens token requests and --charges charges a
second), and all of them again in each round. After each fault, it checks that nothing was lost or done twice. At the end,
it prints the seconds without writes and the failed requests for each fault.`;

type Options = { rounds: number; rates: Rates; only: string };

const readOptions = (args: readonly string[]): Options => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, tokens: text, charges: text, only: text },
  });
  const number = (name: "rounds" | "tokens" | "charges", otherwise: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isInteger(value) || value < 1 || value > 1_000) throw new StartError(`--${name}: 1 to 1000`);
    return value;
  };
  const [rounds, tokens, charges] = [number("rounds", 12), number("tokens", 100), number("charges", 20)];
  return { rounds, rates: { tokens, charges }, only: values.only ?? "" };
};

const printedProblems = 10;

/** @returns the results of all faults of all rounds. */
const runRounds = async (world: World, { rounds, rates, only }: Options): Promise<Round[]> => {
  const results: Round[] = [];
  const reasonOf = ({ leftOutBecause }: Fault) => leftOutBecause?.(world.installation) ?? null;
  const wanted = faults.filter(({ name }) => name.includes(only));
  const chosen = wanted.filter((fault) => reasonOf(fault) === null);
  for (let round = 1; round <= rounds; round++) {
    for (const fault of chosen) {
      const result = await runRound(world, fault, { rates, isShared: false });
      results.push(result);
      const { problems: _, ...figures } = result;
      console.log({ round, ...figures, load: os.loadavg()[0] });
      for (const problem of result.problems.slice(0, printedProblems)) console.log(`  ✗ ${problem}`);
    }
  }
  for (const fault of wanted)
    if (!chosen.includes(fault)) console.log(`- ${fault.name}: left out, because ${reasonOf(fault)}`);
  return results;
};

/** The installation's folder is deleted when it stops. @returns the folder with a copy of the logs */
const keepLogs = async ({ installation }: World): Promise<string> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-drill-"));
  await cp(path.join(installation.directory, "logs"), directory, { recursive: true });
  return directory;
};

const printLogs = (directory: string): void => console.log(`logs: ${directory}`);

/** Stops the installation. If the drill failed, its logs are kept. */
const runAndStop = async (world: World, options: Options): Promise<Round[]> => {
  let isClean = false;
  try {
    const results = await runRounds(world, options);
    isClean = results.every(({ problems }) => problems.length === 0);
    return results;
  } finally {
    await (isClean ? world.stop() : keepLogs(world).then(printLogs).finally(world.stop));
  }
};

/** Implements `npm run ha -- drill`. @throws StartError if anything was lost, done twice or answered wrongly. */
export const runDrill = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args);
  if (!faults.some(({ name }) => name.includes(options.only)))
    throw new StartError(`--only: ${faults.map(({ name }) => name).join(", ")}`);
  const startedAt = Date.now();
  const world = await openWorld({ hasDisks: true });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => world.stop().finally(() => process.exit(130)));
  const results = await runAndStop(world, options);
  const minutes = Math.round((Date.now() - startedAt) / 60_000);
  const averages = os.loadavg().map((average) => average.toFixed(1));
  console.log(`\n${formatRounds(results)}\n`);
  console.log(
    `${world.installation.database.programs.versions}; ${minutes} minutes; load averages ${averages.join(", ")}`,
  );
  const problems = results.reduce((sum, round) => sum + round.problems.length, 0);
  if (problems > 0) throw new StartError(`✗ ${problems} problems, see above`);
  console.log(`✓ ${results.length} faults, nothing lost, nothing done twice`);
};
