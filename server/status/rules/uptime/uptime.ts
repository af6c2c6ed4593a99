import type { ComponentState, Maintenance } from "../board.ts";
import { clip, clipSegments, mergeTracks, type Segment, type Span, type Track } from "./intervals.ts";
import { utcMonthsOf } from "./utc-calendar.ts";

const announcedAheadMilliseconds = 72 * 3600 * 1000;
const excludedPerMonthMilliseconds = 4 * 3600 * 1000;
const creditedUnknownMilliseconds = 10 * 60 * 1000;

/** The rules of the functions below, as the status page prints them. All times are UTC. */
export const uptimeRules: readonly string[] = [
  "A component has states from several sources: the probes, each incident or maintenance by operators, and dependencies.",
  "A state lasts until the next change by the same source. If two changes by one source have the same time, the one recorded last applies.",
  "Each probe run sets the measured states. It also sets the states of components that depend on a component with an outage. A run begins every 30 seconds, unless the operator configured another interval.",
  "If two runs are at most two intervals and 15 seconds apart, the states of the first run last until the second run. Otherwise, the time between the runs is unknown.",
  "If the last run ended at most 90 seconds ago, its states last until now. Otherwise, they last until the end of that run.",
  "If several sources have a state, the first of these applies: (1) the worst state of all incidents; (2) maintenance in progress, until its announced end at the latest; (3) the worst of the states of probes and dependencies. If no source has a state, the state is unknown.",
  "If an incident or maintenance sets “operational” or “unknown”, it ends only its own earlier state. The measured states then apply, unless another incident or maintenance sets a state.",
  "Uptime is up ÷ (up + down). Partial and major outages are down. Operational and degraded are up. Unknown time doesn’t count.",
  "Maintenance is excluded if it was announced at least 72 hours before its start. Only its announced time is excluded. If this is more than 4 hours in a calendar month, only the first 4 hours are excluded. During other maintenance, the states of probes and dependencies count. If there are none, the time counts as down.",
  "Time before the first measurement doesn’t count. Overlaps count once. Intervals are split at the boundaries of days and months. Without data, there is no figure.",
  "Percentages are rounded down, never up: 100% means that nothing was down.",
  "For SLA credits, unknown time beyond 10 minutes per calendar month counts as down.",
  "The error budget of a month is the downtime that the objective allows for the whole month: 99.9% allows 43.2 minutes in 30 days. Downtime uses the budget.",
];

type Counting = "up" | "down" | "excluded" | "unmeasured";
/** How a span of time counts for the figures. */
export type Counted = Span & { counts: Counting };

/** Milliseconds of a window. Uptime is `up` ÷ (`up` + `down`); the others don't count. */
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
 * How each part of a component's time counts, according to `uptimeRules`.
 * @param window starts with a month or with the component's first data: the allowance for maintenance is used in order.
 */
export const countTime = (
  { tracks, maintenances }: { tracks: readonly Track[]; maintenances: readonly Maintenance[] },
  window: Span,
): Counted[] => {
  const states = mergeTracks(tracks, window);
  const withoutMaintenance = mergeTracks(tracks.map(withoutMaintenanceSegments), window);
  const excluded = excludedSpans(states, announcedSpans(tracks, maintenances));
  return pieces([states, withoutMaintenance, excluded]).map(({ from, to }): Counted => {
    const state = at(states, from)?.state ?? "unknown";
    if (state !== "maintenance") return { from, to, counts: countingOf(state) };
    if (at(excluded, from)) return { from, to, counts: "excluded" };
    const beneath = at(withoutMaintenance, from)?.state ?? "unknown";
    const isSilent = beneath === "unknown" || beneath === "maintenance";
    return { from, to, counts: isSilent ? "down" : countingOf(beneath) };
  });
};

const withoutMaintenanceSegments = (track: Track): Track => ({
  ...track,
  segments: track.segments.filter(({ state }) => state !== "maintenance"),
});

/** The times of maintenance that was announced in time, clipped to its announced window. They may overlap. */
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

/** Excluded maintenance: disjoint, in order, at most the allowance of each month. */
const excludedSpans = (states: readonly Segment[], announced: readonly Span[]): Span[] => {
  const inMaintenance = states.filter(({ state }) => state === "maintenance");
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

/** Splits time at every boundary of every layer. */
const pieces = (layers: readonly (readonly Span[])[]): Span[] => {
  const borders = [...new Set(layers.flat().flatMap(({ from, to }) => [from, to]))].sort((left, right) => left - right);
  return borders.slice(0, -1).map((from, index) => ({ from, to: borders[index + 1] ?? from }));
};

/** The part that contains the instant. Binary search: parts are in order and don't overlap. */
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

/** The tally of a UTC calendar month for SLA credits. Unknown time beyond 10 minutes counts as down. */
export const tallyForCredits = (month: Tally): Tally => {
  const beyond = Math.max(0, month.unmeasured - creditedUnknownMilliseconds);
  return { ...month, down: month.down + beyond, unmeasured: month.unmeasured - beyond };
};

/** Percent, rounded down: 100 only if nothing was down. Null: nothing was measured. @param digits decimal places. */
export const uptimePercent = ({ up, down }: Pick<Tally, "up" | "down">, digits = 3): string | null => {
  if (up + down === 0) return null;
  const scale = 10n ** BigInt(digits);
  const scaled = (BigInt(up) * 100n * scale) / BigInt(up + down);
  const fraction = String(scaled % scale).padStart(digits, "0");
  return digits === 0 ? String(scaled) : `${scaled / scale}.${fraction}`;
};
