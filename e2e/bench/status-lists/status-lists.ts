import { setTimeout as sleep } from "node:timers/promises";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { makeMandateRow } from "#server/credentials/mandate-row.fixture.ts";
import { ensureStatusLists, publishStatusLists } from "#server/credentials/status-lists/publish-status-lists.ts";
import { appendStatusChange, openLists } from "#server/data/credentials/status-lists.ts";
import { newestStatusListEndpoint } from "#server/endpoints/credentials/status-list.ts";
import { mount } from "#server/http/serve.ts";
import { statusListLength } from "#server/kernel/status-list-length.ts";
import { addSeconds } from "#server/kernel/time/clock.ts";
import { quantileOf } from "../../support/quantile.ts";
import { startWorld, type World } from "../growth/world.ts";

/** How many list numbers are filled. Eight have slightly more than a million entries. */
const listNumbers = 8;
const rounds = 5;
/** The targets. If a reader waits longer than `waitMilliseconds`, the process was blocked. */
const limits = { rebuildMilliseconds: 1_000, waitMilliseconds: 100 } as const;
const readIntervalMilliseconds = 2;
const quietSeconds = 3;

/**
 * Rebuilds the lists of a million entries, a tenth of them revoked, in a process that also answers readers. This is
 * harder than in production, where a worker builds the lists and other processes answer the readers.
 * @throws StartError when a rebuild or a reader's wait takes too long.
 */
export const runStatusLists = async (): Promise<void> => {
  const world = await step("postgresql", () => startWorld(new Date()));
  const stop = () => void world.stop().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    await step(`${(listNumbers * statusListLength).toLocaleString("en-GB")} entries`, () => fill(world));
    print(await step("rebuilds", () => measure(world)));
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stop);
    await world.stop();
  }
};

/**
 * The entries are versions of one mandate; a list doesn't distinguish them from separate mandates. Every index in every
 * list is used.
 */
const fill = async ({ deps }: World): Promise<void> => {
  await ensureStatusLists(deps);
  for (let number = 2; number <= listNumbers; number++) await openLists(deps.db.sql, number, deps.clock.now());
  const { id } = await makeMandateRow(deps);
  for (let number = 1; number <= listNumbers; number++) {
    await deps.db.prisma.$executeRaw`
      INSERT INTO mandate_version (mandate_id, version, details, list_number, status_index, revoked, revoked_at, suspended, created_at)
      SELECT ${id}, ${(number - 1) * statusListLength}::int + i, '{}', ${number}::int, i, i % 10 = 0,
        CASE WHEN i % 10 = 0 THEN now() END, i % 100 = 1, now()
      FROM generate_series(0, ${statusListLength - 1}::int) AS i`;
  }
  await deps.db.prisma.$executeRaw`ANALYZE mandate_version`;
};

type Waits = { p50: number; p99: number; longest: number };

/**
 * Starts a reader every two milliseconds, even while the process is busy. The wait of a delayed reader counts from its
 * scheduled time.
 */
const readUntil = async (isOver: () => boolean): Promise<Waits> => {
  const { GET } = mount(newestStatusListEndpoint);
  const waits: number[] = [];
  const reading = new Set<Promise<void>>();
  const read = async (since: number): Promise<void> => {
    const response = await GET(new Request("http://localhost/oauth/status-list"));
    if (response.status !== 200) throw new StartError(`status-list answered ${response.status}`);
    await response.arrayBuffer();
    waits.push(performance.now() - since);
  };
  const startedAt = performance.now();
  for (let due = startedAt; !isOver(); await sleep(1)) {
    for (; due <= performance.now(); due += readIntervalMilliseconds) {
      const one = read(due).finally(() => reading.delete(one));
      reading.add(one);
    }
  }
  await Promise.all(reading);
  waits.sort((a, b) => a - b);
  return { p50: quantileOf(waits, 0.5), p99: quantileOf(waits, 0.99), longest: quantileOf(waits, 1) };
};

type Measured = { rebuilds: number[]; quiet: Waits; during: Waits[] };

const measure = async (world: World): Promise<Measured> => {
  const { deps } = world;
  const rebuild = async (): Promise<number> => {
    // A list is built if a bit changed, and at most once a second.
    world.setClock(addSeconds(deps.clock.now(), 2));
    for (let number = 1; number <= listNumbers; number++)
      await appendStatusChange(deps.db.sql, number, deps.clock.now());
    const startedAt = performance.now();
    const built = await publishStatusLists(deps);
    if (built !== listNumbers) throw new StartError(`only ${built} of ${listNumbers} list numbers were built`);
    return performance.now() - startedAt;
  };
  await rebuild();
  const quietUntil = performance.now() + quietSeconds * 1000;
  const measured: Measured = { rebuilds: [], quiet: await readUntil(() => performance.now() > quietUntil), during: [] };
  for (let round = 0; round < rounds; round++) {
    let isOver = false;
    const reading = readUntil(() => isOver);
    measured.rebuilds.push(await rebuild());
    isOver = true;
    measured.during.push(await reading);
  }
  return measured;
};

const print = ({ rebuilds, quiet, during }: Measured): void => {
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const line = ({ p50, p99, longest }: Waits): string =>
    `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`;
  const typical: Waits = {
    p50: middle(during.map(({ p50 }) => p50)),
    p99: middle(during.map(({ p99 }) => p99)),
    longest: middle(during.map(({ longest }) => longest)),
  };
  const took = middle(rebuilds);
  process.stdout.write(
    [
      "",
      `${rounds} rebuilds of ${3 * listNumbers} lists, each read from the database and signed: ${rebuilds.map((one) => `${one.toFixed(0)} ms`).join(", ")}`,
      `reader's wait during a rebuild in the same process, one reader every ${readIntervalMilliseconds} ms: ${line(typical)}`,
      `reader's wait without a rebuild: ${line(quiet)}`,
      "",
    ].join("\n"),
  );
  if (took > limits.rebuildMilliseconds) throw new StartError(`✗ a rebuild took ${took.toFixed(0)} ms`);
  if (typical.longest > limits.waitMilliseconds)
    throw new StartError(`✗ a reader waited ${typical.longest.toFixed(0)} ms`);
};
