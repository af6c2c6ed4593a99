import { afterEach, expect, test, vi } from "vitest";
import { createTurns, NoTurn, type Turn } from "./turns.ts";

afterEach(() => void vi.useRealTimers());

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Turns that last until the test ends them, and a record of the work of each. */
const held = (together: number) => {
  const went: string[][] = [];
  const open: (() => void)[] = [];
  const take = createTurns<string>(async (turns: readonly Turn<string>[]) => {
    went.push(turns.map(({ work }) => work));
    await new Promise<void>((resolve) => open.push(resolve));
    for (const { work, resolve } of turns) resolve(`${work} done`);
  }, together);
  const end = async () => {
    open.shift()?.();
    await settle();
  };
  return { went, take, end };
};

test("a single caller starts immediately; the others follow in order of arrival, up to the maximum per turn", async () => {
  const { went, take, end } = held(2);
  const answers = ["a", "b", "c", "d"].map((work) => take("row", work));
  expect(went).toEqual([["a"]]);
  await end();
  answers.push(take("row", "e"));
  await end();
  await end();
  expect(went).toEqual([["a"], ["b", "c"], ["d", "e"]]);
  await end();
  expect(await Promise.all(answers)).toEqual(["a done", "b done", "c done", "d done", "e done"]);
});

test("callers that finish work run first, in order of arrival; one slot of each turn is reserved for a caller that starts work", async () => {
  const { went, take, end } = held(3);
  const answers = [take("row", "begun"), ...["a", "b"].map((work) => take("row", work))];
  answers.push(...["1", "2", "3", "4", "5", "6"].map((work) => take("row", `end ${work}`, "finishes")));
  for (let turn = 0; turn < 4; turn++) await end();
  expect(went).toEqual([["begun"], ["end 1", "end 2", "a"], ["end 3", "end 4", "b"], ["end 5", "end 6"]]);
  await Promise.all(answers);
});

test("keys don't wait for each other, and an idle key keeps no state", async () => {
  const { went, take, end } = held(1);
  const first = take("row", "a");
  const other = take("another row", "b");
  expect(went).toEqual([["a"], ["b"]]);
  await end();
  await end();
  await Promise.all([first, other]);
  const again = take("row", "c");
  expect(went.at(-1)).toEqual(["c"]);
  await end();
  expect(await again).toBe("c done");
});

test("a caller waits at most 10 s: then it is refused and never started", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { went, take, end } = held(1);
  const first = take("row", "a");
  const late = take("row", "b");
  const refused = expect(late).rejects.toThrow(NoTurn);
  vi.advanceTimersByTime(10_000);
  await refused;
  const next = take("row", "c");
  await end();
  await end();
  expect(await Promise.all([first, next])).toEqual(["a done", "c done"]);
  expect(went).toEqual([["a"], ["c"]]);
});

test("at most 1,000 callers wait to start work on a row; further callers are refused immediately, unless they finish work", async () => {
  const { take, end } = held(1_000);
  const answers = Array.from({ length: 1_001 }, (_, index) => take("row", String(index)));
  await expect(take("row", "too many")).rejects.toThrow(NoTurn);
  answers.push(take("row", "finishes what was begun", "finishes"));
  for (let turn = 0; turn < 3; turn++) await end();
  expect((await Promise.all(answers)).length).toBe(1_002);
});
