import { describe, expect, test } from "vitest";
import { isOurs, memoryRule, trendOf } from "../../e2e/bench/soak/flat.ts";

const megabytes = (...values: number[]) => values.map((value) => value * 2 ** 20);
const times = (count: number, make: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => make(index));

describe("npm run soak: whether a series is flat (docs/spec/operations.md, Checks)", () => {
  test("a series that grows at the start, while caches fill, and then varies around a level is flat", () => {
    const figures = megabytes(90, 180, 240, ...times(27, (index) => 250 + (index % 5)));
    expect(trendOf(figures, memoryRule)?.isFlat).toBe(true);
  });

  test("a series that grows by 2 MiB a minute isn't flat", () => {
    const figures = megabytes(...times(30, (index) => 100 + 2 * index));
    expect(trendOf(figures, memoryRule)).toMatchObject({ isFlat: false });
  });

  test("a series with a single peak at the end is flat", () => {
    const figures = megabytes(...times(29, () => 100), 400);
    expect(trendOf(figures, memoryRule)).toMatchObject({ isFlat: true });
  });

  test("only minutes with little stolen CPU time count", () => {
    expect([0, 0.1, 0.11, 0.6].map((stolen) => isOurs({ stolen }))).toEqual([true, true, false, false]);
  });

  test("five values are too few for a result", () => expect(trendOf([1, 1, 1, 1, 1], memoryRule)).toBeNull());
});
