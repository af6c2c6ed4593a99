import { expect, test } from "vitest";
import { boardOf } from "../rules/board.fixture.ts";
import { memoizeBySecond } from "./memoize-by-second.ts";

test("computes once per second and board", () => {
  const computed: string[] = [];
  const overviewOf = memoizeBySecond((_board, now: Date, component: string) => {
    computed.push(component);
    return { now, component };
  });
  const board = boardOf();
  const first = overviewOf(board, new Date(5_000), "sandbox");
  expect(overviewOf(board, new Date(5_999), "sandbox")).toBe(first);
  expect(overviewOf(board, new Date(5_999), "billing_engine").component).toBe("billing_engine");
  expect(computed).toEqual(["sandbox", "billing_engine"]);
  expect(overviewOf(board, new Date(6_000), "sandbox").now).toEqual(new Date(6_000));
  overviewOf(boardOf(), new Date(6_000), "sandbox");
  expect(computed).toHaveLength(4);
});
