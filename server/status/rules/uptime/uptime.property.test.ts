import fc from "fast-check";
import { expect, test } from "vitest";
import type { Maintenance } from "../board.ts";
import { arbitraryChanges, stateAt } from "../status-arbitraries.fixture.ts";
import { mergeTracks, type Span, tracksOf } from "./intervals.ts";
import { type Counted, countTime, tally, uptimePercent } from "./uptime.ts";

const window = { from: 0, to: 60 };
const arbitraryTracks = fc
  .tuple(arbitraryChanges(60), fc.option(fc.integer({ min: 0, max: 60 })))
  .map(([changes, probedUntil]) => tracksOf(changes, { probedUntil, window }));

const maintenanceOf = ({ from, to }: Span, announcedAt: number): Maintenance => ({
  id: "mnt_1",
  title: "",
  state: "completed",
  components: ["sandbox"],
  actor: "",
  updates: [],
  startedAt: null,
  endedAt: null,
  announcedAt: new Date(announcedAt),
  scheduledFrom: new Date(from),
  scheduledTo: new Date(to),
});
const arbitraryMaintenance = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.boolean())
  .map(([from, length, isInTime]) =>
    maintenanceOf({ from, to: from + length }, from - 72 * 3_600_000 + (isInTime ? 0 : 1)),
  );

const countsAt = (counted: readonly Counted[], instant: number) =>
  counted.find(({ from, to }) => from <= instant && instant < to)?.counts;

test("every instant counts exactly once, by its state and by the announcement of maintenance", () => {
  fc.assert(
    fc.property(arbitraryTracks, arbitraryMaintenance, (tracks, maintenance) => {
      const counted = countTime({ tracks, maintenances: [maintenance] }, window);
      const merged = mergeTracks(tracks, window);
      const isInTime = maintenance.announcedAt.getTime() + 72 * 3_600_000 <= maintenance.scheduledFrom.getTime();
      const others = tracks.map((track) => ({
        ...track,
        segments: track.segments.filter(({ state }) => state !== "maintenance"),
      }));
      const beneath = mergeTracks(others, window);
      const expected = { operational: "up", degraded: "up", partial_outage: "down", major_outage: "down" } as const;
      const own = tracks.find(({ subject }) => subject === "mnt_1")?.segments ?? [];
      for (let instant = window.from; instant < window.to; instant++) {
        const state = stateAt(merged, instant) ?? "unknown";
        const below = stateAt(beneath, instant) ?? "unknown";
        const isAnnounced =
          isInTime &&
          maintenance.scheduledFrom.getTime() <= instant &&
          instant < maintenance.scheduledTo.getTime() &&
          stateAt(own, instant) === "maintenance";
        if (state === "maintenance" && isAnnounced) expect(countsAt(counted, instant)).toBe("excluded");
        else if (state === "maintenance")
          expect(countsAt(counted, instant)).toBe(
            below === "unknown" || below === "maintenance" ? "down" : expected[below],
          );
        else expect(countsAt(counted, instant)).toBe(state === "unknown" ? "unmeasured" : expected[state]);
      }
    }),
  );
});

test("adjacent windows add up", () => {
  fc.assert(
    fc.property(arbitraryTracks, fc.integer({ min: 0, max: 60 }), (tracks, border) => {
      const counted = countTime({ tracks, maintenances: [] }, window);
      const [left, right] = [tally(counted, { from: 0, to: border }), tally(counted, { from: border, to: 60 })];
      const both = tally(counted, window);
      for (const key of ["up", "down", "excluded", "unmeasured"] as const)
        expect(left[key] + right[key]).toBe(both[key]);
      expect(both.up + both.down + both.excluded + both.unmeasured).toBe(60);
    }),
  );
});

test("a percentage is rounded down, and it is 100 only if there was no downtime", () => {
  const milliseconds = fc.integer({ min: 0, max: 400 * 24 * 3_600_000 });
  fc.assert(
    fc.property(milliseconds, milliseconds, fc.integer({ min: 0, max: 6 }), (up, down, digits) => {
      const text = uptimePercent({ up, down }, digits);
      if (text === null) {
        expect(up + down).toBe(0);
        return;
      }
      const [printed, total] = [BigInt(text.replace(".", "")), BigInt(up + down)];
      const exact = BigInt(up) * 100n * 10n ** BigInt(digits);
      expect(printed * total <= exact && exact < (printed + 1n) * total).toBe(true);
      expect(text.startsWith("100")).toBe(down === 0);
    }),
  );
});
