import { afterEach, beforeEach, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { loadBoard } from "../board/load-board.ts";
import { findBrokenDay } from "../rules/uptime/days.ts";
import { freezeDays } from "./freeze-days.ts";
import { freezeReplayedDays } from "./start-freezing.ts";

const hour = 3600 * 1000;
const firstDay = Date.UTC(2026, 9, 30);
let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps({ now: new Date(firstDay + 99 * hour) });
  await recordState("operational", 2);
  await recordState("major_outage", 30);
  await recordState("operational", 31);
  await deps.db.prisma.componentHeartbeat.create({
    data: { component: "sandbox", at: new Date(firstDay + 200 * hour) },
  });
});
afterEach(() => deps.close());

/** A probe's result, some hours after the start of the first day. */
const recordState = (state: "operational" | "major_outage", hours: number, component = "sandbox") =>
  deps.db.prisma.componentChange.create({
    data: {
      id: `cch_${component}_${hours}`,
      component,
      source: "probe",
      state,
      reason: "probe",
      actor: "probe",
      at: new Date(firstDay + hours * hour),
    },
  });

const frozen = async () => (await loadBoard(deps)).days;

test("freezes each finished day; the hash chain continues across months", async () => {
  expect(await freezeDays(deps)).toBe(4);
  const days = await frozen();
  expect(days.map(({ day }) => day.toISOString().slice(0, 10))).toEqual([
    "2026-10-30",
    "2026-10-31",
    "2026-11-01",
    "2026-11-02",
  ]);
  expect(days[0]?.figures).toMatchObject({ operational: 22 * hour, unknown: 2 * hour, unmeasured: 2 * hour });
  expect(days[1]?.figures).toMatchObject({ up: 23 * hour, down: hour, major_outage: hour });
  expect(findBrokenDay(days)).toBeNull();
});

test("freezes each day once, and continues after the last one", async () => {
  await freezeDays(deps);
  const before = await frozen();
  expect(await freezeDays(deps)).toBe(0);
  // Recorded after the freeze: the frozen day doesn't change, and the next day includes the record.
  await recordState("major_outage", 10);
  deps.clock.advance(24 * 3600);
  expect(await freezeDays(deps)).toBe(1);
  const days = await frozen();
  expect(days.slice(0, -1)).toEqual(before);
  expect(findBrokenDay(days)).toBeNull();
});

test("waits an hour after the end of a day", async () => {
  deps.clock.set(new Date(firstDay + 25 * hour - 1));
  expect(await freezeDays(deps)).toBe(0);
  deps.clock.advance(1);
  expect(await freezeDays(deps)).toBe(1);
});

test("waits for pending records of a finished day, not for today's", async () => {
  // The fifth day begins 96 hours after the first.
  const of = (hours: number, isReached = true) => {
    const record = { kind: "heartbeat", id: "1", at: new Date(firstDay + hours * hour), components: [] } as const;
    return freezeReplayedDays({ ...deps, journal: { pending: () => [record] }, refresh: async () => isReached });
  };
  // After a restore, the database may lack records that were published before.
  expect(await of(96, false)).toBe(0);
  expect(await of(95)).toBe(0);
  expect(await of(96)).toBe(4);
});

test("each component has its own chain; a component without data has no chain", async () => {
  await recordState("operational", 50, "wallet_portal");
  expect(await freezeDays(deps)).toBe(6);
  const days = await frozen();
  for (const component of ["sandbox", "wallet_portal"])
    expect(findBrokenDay(days.filter((day) => day.component === component))).toBeNull();
});

test("with concurrent callers each day is written once and the chain is valid", async () => {
  const other = await anotherNode(deps);
  try {
    const counts = await Promise.all([
      freezeDays(deps),
      freezeDays({ ...other, clock: { now: () => new Date(firstDay + 50 * hour) } }),
      freezeDays(other),
      freezeDays(deps),
    ]);
    await freezeDays(deps);
    const days = await frozen();
    expect(days).toHaveLength(4);
    expect(counts.reduce((left, right) => left + right)).toBeLessThanOrEqual(4);
    expect(findBrokenDay(days)).toBeNull();
  } finally {
    await other.close();
  }
});

test("frozen days are never rewritten", async () => {
  await freezeDays(deps);
  const where = { component_day: { component: "sandbox", day: new Date(firstDay) } };
  await expect(deps.db.prisma.componentDay.update({ where, data: { hash: "x" } })).rejects.toThrow("append-only");
  await expect(deps.db.prisma.componentDay.delete({ where })).rejects.toThrow("append-only");
});
