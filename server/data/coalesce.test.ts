import { afterEach, expect, test, vi } from "vitest";
import type { Sql } from "./client.ts";
import { coalesce, coalesceByPool } from "./coalesce.ts";

afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("rows of one turn of the event loop share a statement, and each caller gets its own answer", async () => {
  const batches: number[][] = [];
  const add = coalesce(async (rows: readonly number[]) => {
    batches.push([...rows]);
    return rows.map((row) => row * 10);
  });
  expect(await Promise.all([1, 2, 3].map(add))).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("while two statements are in progress, further rows wait for the next statement, and no row is lost", async () => {
  const sizes: number[] = [];
  const open: (() => void)[] = [];
  const add = coalesce(async (rows: readonly number[]) => {
    sizes.push(rows.length);
    await new Promise<void>((resolve) => open.push(resolve));
    return rows;
  });
  const answers = [add(1)];
  await turn();
  answers.push(add(2));
  await turn();
  answers.push(add(3), add(4), add(5));
  await turn();
  expect(sizes).toEqual([1, 1]);
  open[0]?.();
  await turn();
  await turn();
  expect(sizes).toEqual([1, 1, 3]);
  for (const release of open) release();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5]);
});

test("after a statement with several rows, further rows are collected for a while; after a statement with one row, the next row doesn't wait", async () => {
  // With fake timers, the result doesn't depend on the speed of the machine.
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  const sizes: number[] = [];
  const add = coalesce(async (rows: readonly number[]) => {
    sizes.push(rows.length);
    return rows;
  });
  await add(1);
  await Promise.all([add(2), add(3)]);
  const answers = [add(4)];
  await turn();
  answers.push(add(5));
  vi.advanceTimersByTime(4);
  await Promise.all(answers);
  expect(sizes).toEqual([1, 2, 2]);
  const alone = add(6);
  vi.advanceTimersByTime(4);
  await alone;
  const before = sizes.length;
  const next = add(7);
  await turn();
  await turn();
  expect(sizes.slice(before)).toEqual([1]);
  await next;
});

test("if a row can't be written, only that row fails", async () => {
  const add = coalesce(async (rows: readonly number[]) => {
    if (rows.includes(2)) throw new Error("not this one");
    return rows;
  });
  const shared = await Promise.allSettled([add(1), add(2), add(3)]);
  expect(shared.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("if the database is unreachable, all rows fail together, and a later call makes a new attempt", async () => {
  let attempts = 0;
  const add = coalesce(async (rows: readonly number[]) => {
    attempts += 1;
    if (attempts === 1) throw Object.assign(new Error("lost"), { code: "ECONNREFUSED" });
    return rows;
  });
  const shared = await Promise.allSettled([add(1), add(2)]);
  expect(shared.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([await add(3), attempts]).toEqual([3, 2]);
});

test("more than 200 rows use several statements", async () => {
  const sizes: number[] = [];
  const add = coalesce(async (rows: readonly number[]) => {
    sizes.push(rows.length);
    return rows;
  });
  const rows = Array.from({ length: 450 }, (_, index) => index);
  expect(await Promise.all(rows.map(add))).toEqual(rows);
  expect(Math.max(...sizes)).toBe(200);
});

test("requests share statements only with those of the same pool", async () => {
  const batches: [string, readonly number[]][] = [];
  const pool = (name: string): Sql => ({
    query: async () => {
      batches.push([name, []]);
      return [];
    },
  });
  const [production, sandbox] = [pool("production"), pool("sandbox")];
  const send = coalesceByPool(async (sql, rows: readonly number[]) => {
    await sql.query({ name: "asked", text: "" }, []);
    batches.at(-1)?.splice(1, 1, rows);
    return rows;
  });
  expect(await Promise.all([send(production, 1), send(sandbox, 2), send(production, 3)])).toEqual([1, 2, 3]);
  expect(batches).toHaveLength(2);
  expect(new Map(batches)).toEqual(
    new Map([
      ["production", [1, 3]],
      ["sandbox", [2]],
    ]),
  );
});
