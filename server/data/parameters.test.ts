import { expect, test } from "vitest";
import { numberParameters } from "./parameters.ts";

type Order = { id: string; total: bigint };

const columns = numberParameters<Order>([
  ["id", (order) => order.id],
  ["total", (order) => order.total, "bigint"],
]);

test("names, placeholders and values have the same order, and each placeholder has its type", () => {
  expect([columns.names, columns.placeholders]).toEqual(["id, total", "$1, $2::bigint"]);
  expect(columns.valuesOf({ id: "a", total: 7n })).toEqual(["a", 7n]);
  expect(columns.placeholder("total")).toBe("$2::bigint");
});

test("a second list continues the numbers of the first", () => {
  const more = numberParameters<Order>([["note", ({ id }) => id]], columns.next);
  expect([more.placeholders, more.next]).toEqual(["$3", 4]);
});

test("refuses a name that isn't in the list", () => {
  expect(() => columns.placeholder("amount")).toThrow("the statement has no parameter amount");
});
