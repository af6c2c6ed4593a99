import { expect, test } from "vitest";
import { boardOf } from "../rules/board.fixture.ts";
import { memoizeBySecond } from "./memoize-by-second.ts";

test("computes once per second and board", () => {
  const asked: string[] = [];
  const tell = memoizeBySecond((_board, now: Date, component: string) => {
    asked.push(component);
    return { now, component };
  });
  const board = boardOf();
  const first = tell(board, new Date(5_000), "sandbox");
  expect(tell(board, new Date(5_999), "sandbox")).toBe(first);
  expect(tell(board, new Date(5_999), "billing_engine").component).toBe("billing_engine");
  expect(asked).toEqual(["sandbox", "billing_engine"]);
  expect(tell(board, new Date(6_000), "sandbox").now).toEqual(new Date(6_000));
  tell(boardOf(), new Date(6_000), "sandbox");
  expect(asked).toHaveLength(4);
});
