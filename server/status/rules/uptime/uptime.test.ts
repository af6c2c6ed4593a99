import { expect, test } from "vitest";
import type { Maintenance } from "../board.ts";
import type { Segment, Track } from "./intervals.ts";
import { countTime, tally, tallyForCredits, uptimePercent } from "./uptime.ts";
import { utcMonthOf } from "./utc-calendar.ts";

const hour = 3600 * 1000;
const month = utcMonthOf(Date.UTC(2026, 9, 1));
/** hours after the start of the month */
const span = (from: number, to: number) => ({ from: month.from + from * hour, to: month.from + to * hour });
const whole = (month.to - month.from) / hour;

type Part = [from: number, to: number, state: Segment["state"]];
const track = (source: Track["source"], subject: string, ...parts: Part[]): Track => ({
  source,
  subject,
  segments: parts.map(([from, to, state]) => ({ ...span(from, to), state })),
});
const up = track("probe", "", [0, whole, "operational"]);

const maintenance = (
  id: string,
  from: number,
  { to, aheadHours = 72 }: { to: number; aheadHours?: number },
): Maintenance => ({
  id,
  title: "",
  state: "completed",
  components: [],
  actor: "",
  updates: [],
  announcedAt: new Date(month.from + (from - aheadHours) * hour),
  scheduledFrom: new Date(month.from + from * hour),
  scheduledTo: new Date(month.from + to * hour),
  startedAt: null,
  endedAt: null,
});
const inProgress = (id: string, from: number, to: number) => track("operator", id, [from, to, "maintenance"]);

/** hours of the month */
const hoursOf = (tracks: Track[], maintenances: Maintenance[] = [], window = month) => {
  const sums = tally(countTime({ tracks, maintenances }, month), window);
  return { up: sums.up / hour, down: sums.down / hour, out: sums.excluded / hour, none: sums.unmeasured / hour };
};

test("partial and major outages are down, degraded is up, unknown doesn't count", () => {
  const probe = track(
    ...(["probe", ""] as const),
    ...([
      [0, 10, "operational"],
      [10, 11, "degraded"],
      [11, 13, "partial_outage"],
      [13, 16, "major_outage"],
      [16, 20, "unknown"],
    ] satisfies Part[]),
  );
  expect(hoursOf([probe])).toEqual({ up: 11, down: 5, out: 0, none: whole - 16 });
});

test("incidents that overlap count once", () => {
  const one = track("operator", "inc_1", [10, 14, "major_outage"]);
  const other = track("operator", "inc_2", [12, 16, "partial_outage"]);
  expect(hoursOf([up, one, other]).down).toBe(6);
});

test("a figure counts only time within its window", () => {
  const outage = track("operator", "inc_1", [10, 14, "major_outage"]);
  expect(hoursOf([up, outage], [], span(12, 24))).toEqual({ up: 10, down: 2, out: 0, none: 0 });
});

test("maintenance that was announced 72 hours ahead is excluded", () => {
  expect(hoursOf([up, inProgress("m", 100, 102)], [maintenance("m", 100, { to: 102 })])).toEqual({
    up: whole - 2,
    down: 0,
    out: 2,
    none: 0,
  });
});

test("during maintenance that was announced less than 72 h ahead, the probes' states count", () => {
  const probe = track("probe", "", [0, 101, "operational"], [101, whole, "major_outage"]);
  const late = maintenance("m", 100, { to: 102, aheadHours: 72 - 1 / 3_600_000 });
  expect(hoursOf([probe, inProgress("m", 100, 102)], [late])).toMatchObject({ up: 101, out: 0 });
});

test("maintenance that isn't excluded counts as down if no other source reports a state", () => {
  expect(hoursOf([inProgress("m", 100, 102)], [])).toMatchObject({ down: 2, out: 0, none: whole - 2 });
});

test("maintenance is excluded only within its announced window", () => {
  const early = track("operator", "m", [99, 103, "maintenance"]);
  expect(hoursOf([up, early], [maintenance("m", 100, { to: 102 })]).out).toBe(2);
});

test("the announced window of one maintenance doesn't exclude the time of another", () => {
  expect(hoursOf([up, inProgress("other", 100, 102)], [maintenance("m", 100, { to: 102 })]).out).toBe(0);
});

test("canceled maintenance excludes nothing", () => {
  expect(
    hoursOf([up, inProgress("m", 100, 102)], [{ ...maintenance("m", 100, { to: 102 }), state: "cancelled" }]).out,
  ).toBe(0);
});

test("only the first 4 hours of maintenance in a month are excluded; overlaps count once", () => {
  const down = track("probe", "", [0, 100, "operational"], [100, 200, "major_outage"], [200, whole, "operational"]);
  const tracks = [down, inProgress("a", 100, 103), inProgress("b", 102, 104), inProgress("c", 150, 152)];
  const announced = [
    maintenance("a", 100, { to: 103 }),
    maintenance("b", 102, { to: 104 }),
    maintenance("c", 150, { to: 152 }),
  ];
  expect(hoursOf(tracks, announced)).toMatchObject({ out: 4, down: 96 });
  expect(hoursOf(tracks, announced, span(150, 152))).toMatchObject({ out: 0, down: 2 });
});

test("an incident during maintenance counts, and doesn't use the 4 hours", () => {
  const incident = track("operator", "inc_1", [100, 101, "major_outage"]);
  const tracks = [up, incident, inProgress("a", 100, 102), inProgress("b", 110, 113)];
  const announced = [maintenance("a", 100, { to: 102 }), maintenance("b", 110, { to: 113 })];
  expect(hoursOf(tracks, announced)).toMatchObject({ down: 1, out: 4 });
});

test("each UTC calendar month has its own 4 hours, even for a maintenance window that crosses the month boundary", () => {
  const november = utcMonthOf(month.to);
  const window = { from: month.from, to: november.to };
  const tracks = [inProgress("m", whole - 5, whole + 5)];
  const counted = countTime({ tracks, maintenances: [maintenance("m", whole - 5, { to: whole + 5 })] }, window);
  expect(tally(counted, month)).toMatchObject({ excluded: 4 * hour, down: hour });
  expect(tally(counted, november)).toMatchObject({ excluded: 4 * hour, down: hour });
});

test("for SLA credits, unknown time beyond 10 minutes a month counts as down", () => {
  const sums = { up: 100, down: 5, excluded: 0, unmeasured: 10 * 60_000 };
  expect(tallyForCredits(sums)).toEqual(sums);
  expect(tallyForCredits({ ...sums, unmeasured: 10 * 60_000 + 7 })).toEqual({ ...sums, down: 12 });
});

test.each([
  [{ up: 999, down: 0 }, "100.000"],
  [{ up: 0, down: 5 }, "0.000"],
  [{ up: 99_999_999, down: 1 }, "99.999"],
  [{ up: 2, down: 1 }, "66.666"],
  [{ up: 9_995, down: 5 }, "99.950"],
  [{ up: 0, down: 0 }, null],
])("%o is %s %%: rounded down, and null without data", (sums, text) => {
  expect(uptimePercent(sums)).toBe(text);
});

test("a UTC month has 24 hours a day despite daylight saving time", () => {
  const march = utcMonthOf(Date.UTC(2026, 2, 29, 1));
  expect((march.to - march.from) / hour).toBe(31 * 24);
});
