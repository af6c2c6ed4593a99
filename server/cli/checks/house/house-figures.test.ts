import path from "node:path";
import { expect, test } from "vitest";
import { formatHouse, measureHouse } from "./house-figures.ts";

const figures = measureHouse(path.resolve(import.meta.dirname, "../../../.."));

/** The other figures still have places above their limit: `npm run house` lists them. */
test.each(["files per folder, besides tests", "spread literals"])("no place is above the limit of %s", (rule) => {
  const figure = figures.find((each) => each.rule === rule);
  expect(figure?.offenders).toEqual([]);
});

test("prints a line per rule, and each place above its limit", () => {
  const text = formatHouse([
    { rule: "lines", limit: 60, largest: 75, offenders: ["a.ts:3 run: 75"] },
    { rule: "names", limit: 0, largest: 0, offenders: [] },
  ]);
  expect(text.split("\n")).toEqual([
    "lines  limit  60  largest   75",
    "  a.ts:3 run: 75",
    "names  limit   0  largest    0",
  ]);
});
