import { expect, test } from "vitest";
import { countFilters } from "./count-filters.ts";

test.each([
  [{}, 0],
  [{ q: undefined, show: null, status: "" }, 0],
  [{ q: "order", status: "open" }, 2],
  [{ from: "2026-11-01" }, 1],
  [{ q: "order", from: "2026-11-01", to: "2026-11-30" }, 2],
  [{ q: "order", after: "chg_1" }, 1],
])("%j are %i filters", (filters, count) => {
  expect(countFilters(filters)).toBe(count);
});
