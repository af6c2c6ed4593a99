import { expect, test } from "vitest";
import { labelledPoints, legendOf, scaleTicks } from "./chart-scale.ts";

test.each([
  [0, false, [0, 1]],
  [1, false, [0, 0.25, 0.5, 0.75, 1]],
  [7, false, [0, 2, 4, 6, 8]],
  [3, true, [0, 1, 2, 3]],
  [9, true, [0, 3, 6, 9]],
  [123_456, false, [0, 50_000, 100_000, 150_000]],
])("the grid lines up to %d are round (counts: %j)", (max, isWhole, ticks) => {
  expect(scaleTicks(max, isWhole)).toEqual(ticks);
});

test.each([
  [0, []],
  [1, [0]],
  [5, [0, 1, 2, 3, 4]],
  [7, [1, 3, 5]],
  [30, [2, 8, 14, 20, 26]],
])("%d points have labels at equal distances, with room at both ends", (count, labelled) => {
  expect(labelledPoints(count)).toEqual(labelled);
});

const plotOf = (
  shape: "bars" | "lines",
  names: readonly string[],
  values: readonly (readonly (number | null)[])[],
) => ({
  shape,
  series: names.map((name) => ({ name, look: "accent" as const })),
  rows: values.map((row) => ({ label: "", values: row, texts: [] })),
});

test.each([
  ["a single series", plotOf("bars", ["Charges"], [[1]]), []],
  [
    "bars",
    plotOf(
      "bars",
      ["Charges", "Refunds", "Disputes"],
      [
        [0, 0, null],
        [4, 0, 2],
      ],
    ),
    ["Charges", "Disputes"],
  ],
  ["bars of one series of several", plotOf("bars", ["Charges", "Refunds"], [[3, 0]]), ["Charges"]],
  ["lines", plotOf("lines", ["p95", "p50"], [[3, 0]]), ["p95", "p50"]],
])("the legend of %s names the series that can be seen", (_, plot, names) => {
  expect(legendOf(plot).map(({ name }) => name)).toEqual(names);
});
