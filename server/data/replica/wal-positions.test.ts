import { expect, test } from "vitest";
import { WalPositions } from "./wal-positions.ts";

const positionsAt = (...read: [readAt: number, position: bigint][]) => {
  const positions = new WalPositions();
  for (const [readAt, position] of read) positions.add({ readAt, position });
  return positions;
};

test("a standby that replayed the newest position is fresh for less than four seconds", () => {
  const positions = positionsAt([1_000, 50n]);
  expect(positions.isFresh(50n, 4_999)).toBe(true);
  expect(positions.isFresh(50n, 5_000)).toBe(false);
});

test("a standby that lags less than four seconds is fresh", () => {
  const positions = positionsAt([1_000, 50n], [4_000, 80n]);
  expect(positions.isFresh(79n, 4_900)).toBe(true);
  expect(positions.isFresh(49n, 4_900)).toBe(false);
});

test("a standby that stopped at an old position isn't fresh", () => {
  const positions = positionsAt([1_000, 50n], [4_000, 80n], [6_000, 90n]);
  expect(positions.isFresh(50n, 6_000)).toBe(false);
});

test("a standby of an idle primary is fresh", () => {
  expect(positionsAt([1_000, 50n], [60_000, 50n]).isFresh(50n, 60_001)).toBe(true);
});

test("no standby is fresh until a position of the primary has been read", () => {
  expect(positionsAt().isFresh(50n, 0)).toBe(false);
});
