import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chainEntries } from "#server/audit/chain-entries.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { deleteExpiredRows } from "#server/jobs/upkeep/delete-expired-rows.ts";
import { dropOldPartitions, ensurePartitions } from "#server/jobs/upkeep/partition-upkeep.ts";
import { addSeconds } from "#server/kernel/time/clock.ts";
import { type Disk, measureDisk } from "./disk.ts";
import { fillDay } from "./fill.ts";
import { type Clients, type Latency, makeClients, type Operation, operations, sample } from "./sample.ts";
import { startWorld, type World } from "./world.ts";

const day = 24 * 3600;

/**
 * The maximum ratio of the last figures to the first. A higher ratio shows that something grows with the number of
 * issued tokens.
 */
const limits = { p50: 1.3, p99: 1.6, disk: 1.2 } as const;

type Level = { tokens: number; latency: Record<Operation, Latency>; disk: Disk };

export const growthUsage = `npm run growth -- [--tokens 10000000] [--days 10]
inserts the rows of --tokens tokens, spread over --days days, into a separate PostgreSQL (1 KB of disk per token), runs
the maintenance jobs, and measures requests in between; ends with ✗ when request times or short-lived tables grow with
the number of issued tokens`;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: { tokens: { type: "string" }, days: { type: "string" } } }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${growthUsage}`);
  }
};

const readOptions = (args: readonly string[]): { tokens: number; days: number } => {
  const values = parse(args);
  const [tokens, days] = [Number(values.tokens ?? 10_000_000), Number(values.days ?? 10)];
  if (!(tokens >= 1_000 && tokens <= 50_000_000)) throw new StartError("--tokens: from 1,000 to 50,000,000");
  if (!(Number.isInteger(days) && days >= 2 && days <= 60)) throw new StartError("--days: from 2 to 60");
  return { tokens, days };
};

/**
 * Simulates days of traffic in the real tables, with their maintenance and real requests in between. Request times and
 * the size of short-lived tables must not depend on the number of tokens issued before.
 * @throws StartError when they depend on it, or when expired data isn't deleted.
 */
export const runGrowth = async (args: readonly string[]): Promise<void> => {
  const { tokens, days } = readOptions(args);
  const midnight = new Date(new Date().toISOString().slice(0, 10));
  const world = await step("postgresql", () => startWorld(midnight));
  const stop = () => void world.stop().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    const { levels, end } = await grow(world, { midnight, days, perDay: Math.round(tokens / days) });
    print(levels, end);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stop);
    await world.stop();
  }
};

/** The hourly and the five-minute jobs of the worker. */
const runMaintenance = async ({ deps }: World): Promise<void> => {
  await ensurePartitions(deps);
  await dropOldPartitions(deps);
  await deleteExpiredRows(deps);
};

const grow = async (
  world: World,
  { midnight, days, perDay }: { midnight: Date; days: number; perDay: number },
): Promise<{ levels: Level[]; end: End }> => {
  const { deps } = world;
  await runMaintenance(world);
  const clients = await makeClients(deps);
  const levels: Level[] = [];
  const sampled = new Set([1, Math.ceil(days / 5), Math.ceil(days / 2), days]);
  for (let count = 1; count <= days; count++) {
    const from = addSeconds(midnight, (count - 1) * day);
    await step(`day ${count}`, async () => {
      world.setClock(addSeconds(from, 2 * 3600));
      await runMaintenance(world);
      await fillDay(deps, from, perDay);
      world.setClock(addSeconds(from, day - 300));
      await chainEntries(deps);
      if (sampled.has(count)) levels.push(await measure(world, clients, count * perDay));
    });
  }
  const end = await step("upkeep", () => finishUp(world, midnight, days));
  return { levels, end };
};

const settleSeconds = 60;

/**
 * Waits for the vacuum after the rows of a day are inserted. In this benchmark, all rows of a day are inserted in quick
 * succession, so the vacuum would delay requests more than on a real day.
 */
const settle = async ({ deps }: World): Promise<void> => {
  for (const deadline = performance.now() + settleSeconds * 1000; performance.now() < deadline; await sleep(500)) {
    const [row] = await deps.db.prisma.$queryRaw<{ busy: number }[]>`
      SELECT count(*)::int AS busy FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`;
    if (row?.busy === 0) return;
  }
};

const measure = async (world: World, clients: Clients, tokens: number): Promise<Level> => {
  await settle(world);
  await world.deps.db.prisma.$executeRawUnsafe("CHECKPOINT");
  return { tokens, disk: await measureDisk(world.deps), latency: await sample(world.deps, clients) };
};

type End = { before: Disk; nextDays: Disk; nextYears: Disk };

/**
 * Advances the clock without traffic: first until short-lived data has expired, then until the data that is kept for
 * years has expired too.
 */
const finishUp = async (world: World, midnight: Date, days: number): Promise<End> => {
  const at = async (date: Date): Promise<Disk> => {
    world.setClock(date);
    await runMaintenance(world);
    await chainEntries(world.deps);
    return measureDisk(world.deps);
  };
  const before = await measureDisk(world.deps);
  const nextDays = await at(addSeconds(midnight, (days + 3) * day));
  return { before, nextDays, nextYears: await at(addSeconds(midnight, 11 * 366 * day)) };
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

const print = (levels: readonly Level[], end: End): void => {
  const rows = levels.map(({ tokens, latency, disk }) => [
    tokens.toLocaleString("en-GB"),
    ...operations.flatMap((operation) => [latency[operation].p50.toFixed(2), latency[operation].p99.toFixed(2)]),
    ...[disk.short, disk.year, disk.kept].map(megabytes),
  ]);
  const head = [
    "tokens",
    ...operations.flatMap((operation) => [`${operation} p50`, "p99"]),
    "short-lived",
    "a year",
    "kept",
  ];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  ");
  const [first, last] = [levels[0], levels.at(-1)];
  if (!first || !last) throw new Error("nothing was measured");
  const perToken = ((last.disk.kept - first.disk.kept) / (last.tokens - first.tokens)).toFixed(0);
  const checks = [...latencyChecks(first, last), ...diskChecks(first, last, end)];
  process.stdout.write(
    [
      "",
      "Milliseconds of real requests, one after the other, in this process with PostgreSQL on the same machine; medians of nine rounds.",
      line(head),
      ...rows.map(line),
      "",
      `kept by rule (audit log with its chain, charges, events): ${perToken} bytes a token, for ten years or 25 months.`,
      `after three days without traffic: short-lived ${megabytes(end.before.short)} → ${megabytes(end.nextDays.short)}; after eleven years: all tables ` +
        `${megabytes(end.before.short + end.before.year + end.before.kept)} → ${megabytes(end.nextYears.short + end.nextYears.year + end.nextYears.kept)}, database ${megabytes(end.before.database)} → ${megabytes(end.nextYears.database)}.`,
      "",
      ...checks.map(
        ({ name, ratio, limit }) => `${ratio <= limit ? "✓" : "✗"} ${name}: ${ratio.toFixed(2)} (at most ${limit})`,
      ),
      "",
    ].join("\n"),
  );
  const broken = checks.filter(({ ratio, limit }) => !(ratio <= limit));
  if (broken.length > 0) throw new StartError(`not flat: ${broken.map(({ name }) => name).join(", ")}`);
};

type Check = { name: string; ratio: number; limit: number };

const latencyChecks = (first: Level, last: Level): Check[] =>
  operations.flatMap((operation) =>
    (["p50", "p99"] as const).map((part) => ({
      name: `${operation} ${part}, last level / first level`,
      ratio: last.latency[operation][part] / first.latency[operation][part],
      limit: limits[part],
    })),
  );

const diskChecks = (first: Level, last: Level, end: End): Check[] => [
  {
    name: "short-lived tables on disk, last level / first level",
    ratio: last.disk.short / first.disk.short,
    limit: limits.disk,
  },
  {
    name: "short-lived tables on disk, after three days / before",
    ratio: end.nextDays.short / end.before.short,
    limit: 0.05,
  },
  {
    name: "every table on disk, after eleven years / before",
    ratio:
      (end.nextYears.short + end.nextYears.year + end.nextYears.kept) /
      (end.before.short + end.before.year + end.before.kept),
    limit: 0.05,
  },
];
