import type { ComponentState, Maintenance } from "../board.ts";
import { clip, clipSegments, mergeTracks, type Segment, type Span, type Track } from "./intervals.ts";
import { utcMonthsOf } from "./utc-calendar.ts";

const announcedAheadMilliseconds = 72 * 3600 * 1000;
const excludedPerMonthMilliseconds = 4 * 3600 * 1000;
const creditedUnknownMilliseconds = 10 * 60 * 1000;

/** What the functions below do, in the words that the status page prints; every time is UTC. */
export const uptimeRules: readonly string[] = [
  "Each source (probes, every incident or maintenance that operators tell of, dependencies) is a track: a state holds from one change to the next. Of two changes at one instant the later one in order holds. What a probe said, and what follows from it by dependencies, goes on to now where the last run ended at most 90 seconds ago, and ends with that run otherwise. Between two runs it holds where they are at most two intervals and 15 seconds apart (a run begins every 30 seconds, unless the operator chose otherwise); where they are further, the time between is unknown.",
  "An incident outranks everything, and of several the worst holds. Then comes a maintenance in progress, until its announced end at the latest. Else the worst of what probes and dependencies say holds. Where nobody says anything the state is unknown. Operators’ “operational” and “unknown” end what they said, and hide nothing that was measured.",
  "Uptime is up ÷ (up + down). Partial and major outages are down; operational and degraded are up; unknown is on neither side.",
  "Maintenance is left out where it was announced at least 72 hours before it was to begin, within its announced time, and for at most 4 hours of a calendar month, the earliest first. Other maintenance counts by what probes and dependencies say meanwhile, and as down where they say nothing.",
  "Time before the first measurement is no part of a figure. Overlaps count once, and what reaches over the border of a day or month is cut there. No data is no figure.",
  "Percentages are rounded down, never up: 100 % means that nothing was down.",
  "For SLA credits unknown time beyond 10 minutes of a calendar month counts as down.",
  "The error budget of a month is the part of all its days that the objective leaves: 99.9 % leave 43.2 minutes of 30 days. Down time uses it.",
];

type Counting = "up" | "down" | "excluded" | "unmeasured";
/** How a time counts for the figures. */
export type Counted = Span & { counts: Counting };

/** Milliseconds of a window. Uptime is `up` of `up` and `down`; the others are on neither side. */
export type Tally = Record<Counting, number>;

const countingOf = (state: Exclude<ComponentState, "maintenance">): Counting => {
  switch (state) {
    case "operational":
    case "degraded":
      return "up";
    case "partial_outage":
    case "major_outage":
      return "down";
    case "unknown":
      return "unmeasured";
  }
};

/**
 * How each time of a component counts, as the status page prints it: partial and major outages are down, operational and
 * degraded are up, unknown is on neither side. Maintenance is left out where it was announced 72 hours before it was to
 * begin, within its announced time, and for at most 4 hours of a UTC calendar month, the earliest. All other
 * maintenance counts by what probes and dependencies say meanwhile, and as down where they say nothing.
 * @param window begins with a month, or with the first that is known of the component: an allowance is spent in order.
 */
export const countTime = (
  { tracks, maintenances }: { tracks: readonly Track[]; maintenances: readonly Maintenance[] },
  window: Span,
): Counted[] => {
  const shown = mergeTracks(tracks, window);
  const withoutMaintenance = mergeTracks(tracks.map(withoutMaintenanceSegments), window);
  const excluded = excludedSpans(shown, announcedSpans(tracks, maintenances));
  const counted = pieces([shown, withoutMaintenance, excluded]).map(({ from, to }): Counted => {
    const state = at(shown, from)?.state ?? "unknown";
    if (state !== "maintenance") return { from, to, counts: countingOf(state) };
    if (at(excluded, from)) return { from, to, counts: "excluded" };
    const beneath = at(withoutMaintenance, from)?.state ?? "unknown";
    const isSilent = beneath === "unknown" || beneath === "maintenance";
    return { from, to, counts: isSilent ? "down" : countingOf(beneath) };
  });
  return counted;
};

const withoutMaintenanceSegments = (track: Track): Track => ({
  ...track,
  segments: track.segments.filter(({ state }) => state !== "maintenance"),
});

/** Where maintenances that were announced in time were in progress within their announced time; may overlap. */
const announcedSpans = (tracks: readonly Track[], maintenances: readonly Maintenance[]): Span[] =>
  maintenances.flatMap(({ id, state, announcedAt, scheduledFrom, scheduledTo }) => {
    const announced = { from: scheduledFrom.getTime(), to: scheduledTo.getTime() };
    if (state === "cancelled" || announcedAt.getTime() > announced.from - announcedAheadMilliseconds) return [];
    const own = tracks.filter(({ source, subject }) => source === "operator" && subject === id);
    return clipSegments(
      own.flatMap(({ segments }) => segments.filter((segment) => segment.state === "maintenance")),
      announced,
    );
  });

/** The shown maintenance that is left out: disjoint, in order, and in each month no more than its allowance. */
const excludedSpans = (shown: readonly Segment[], announced: readonly Span[]): Span[] => {
  const inMaintenance = shown.filter(({ state }) => state === "maintenance");
  const candidates = inMaintenance.flatMap((span) => unionOf(announced.map((one) => clip(one, span))));
  const left = new Map<number, number>();
  return candidates
    .flatMap((span) => utcMonthsOf(span).map((month) => ({ month: month.from, ...clip(span, month) })))
    .flatMap(({ month, from, to }) => {
      const allowance = left.get(month) ?? excludedPerMonthMilliseconds;
      const taken = Math.min(allowance, to - from);
      left.set(month, allowance - taken);
      return taken > 0 ? [{ from, to: from + taken }] : [];
    });
};

const unionOf = (spans: readonly Span[]): Span[] => {
  const union: Span[] = [];
  const sorted = spans.filter(({ from, to }) => from < to).sort((left, right) => left.from - right.from);
  for (const { from, to } of sorted) {
    const last = union.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else union.push({ from, to });
  }
  return union;
};

/** The smallest pieces that all borders cut. */
const pieces = (layers: readonly (readonly Span[])[]): Span[] => {
  const borders = [...new Set(layers.flat().flatMap(({ from, to }) => [from, to]))].sort((left, right) => left - right);
  return borders.slice(0, -1).map((from, index) => ({ from, to: borders[index + 1] ?? from }));
};

/** The part of a list in order, without overlap, that holds the instant. */
const at = <Part extends Span>(parts: readonly Part[], instant: number): Part | undefined => {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((parts[middle]?.to ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  const part = parts[low];
  return part && part.from <= instant ? part : undefined;
};

export const tally = (counted: readonly Counted[], window: Span): Tally => {
  const sums: Tally = { up: 0, down: 0, excluded: 0, unmeasured: 0 };
  for (const { counts, ...span } of counted) {
    const { from, to } = clip(span, window);
    if (from < to) sums[counts] += to - from;
  }
  return sums;
};

/** For SLA credits, of a UTC calendar month: unknown time beyond 10 minutes counts as down. */
export const tallyForCredits = (month: Tally): Tally => {
  const beyond = Math.max(0, month.unmeasured - creditedUnknownMilliseconds);
  return { ...month, down: month.down + beyond, unmeasured: month.unmeasured - beyond };
};

/**
 * Percent, rounded down to its printed digits and never up: 100 only where nothing was down. Null: nothing was measured.
 * @param digits behind the point.
 */
export const uptimePercent = ({ up, down }: Pick<Tally, "up" | "down">, digits = 3): string | null => {
  if (up + down === 0) return null;
  const scale = 10n ** BigInt(digits);
  const scaled = (BigInt(up) * 100n * scale) / BigInt(up + down);
  const fraction = String(scaled % scale).padStart(digits, "0");
  return digits === 0 ? String(scaled) : `${scaled / scale}.${fraction}`;
};
