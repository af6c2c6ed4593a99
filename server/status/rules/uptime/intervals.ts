import type { ComponentChange, ComponentState, Maintenance } from "../board.ts";

/** Milliseconds since the epoch; `to` is excluded. */
export type Span = { from: number; to: number };
export type Segment = Span & { state: ComponentState };

/** The states that one source reports over time. An operator's subject is an incident or a maintenance window. */
export type Track = Pick<ComponentChange, "source" | "subject"> & { segments: Segment[] };

export const clip = (span: Span, window: Span): Span => ({
  from: Math.max(span.from, window.from),
  to: Math.min(span.to, window.to),
});

export const clipSegments = (segments: readonly Segment[], window: Span): Segment[] =>
  segments.map((segment) => ({ ...segment, ...clip(segment, window) })).filter(({ from, to }) => from < to);

/**
 * The tracks of one component within a window. Each state lasts until the track's next change. States of probes and
 * cascades end at `probedUntil` at the latest. If it is null, no probe has run, and these states are left out.
 * @param changes of one component, oldest first; of two at the same instant, the later one in the list applies.
 */
export const tracksOf = (
  changes: readonly ComponentChange[],
  { probedUntil, window }: { probedUntil: number | null; window: Span },
): Track[] => {
  const byTrack = Map.groupBy(changes, ({ source, subject }) => `${source} ${subject}`);
  return [...byTrack.values()].flatMap((ofTrack) => {
    const [first] = ofTrack;
    if (!first) return [];
    const { source, subject } = first;
    const end = source === "operator" ? window.to : (probedUntil ?? window.from);
    const segments = ofTrack.map(({ at, state }, index) => ({
      state,
      from: at.getTime(),
      to: Math.min(ofTrack[index + 1]?.at.getTime() ?? end, end),
    }));
    return [{ source, subject, segments: joinEqual(clipSegments(segments, window)) }];
  });
};

/** Maintenance ends at its announced end at the latest, so that it hides no later outage. */
export const clipOverdueMaintenance = (
  tracks: readonly Track[],
  maintenances: readonly Pick<Maintenance, "id" | "scheduledTo">[],
): Track[] =>
  tracks.map((track) => {
    const maintenance = track.source === "operator" && maintenances.find(({ id }) => id === track.subject);
    if (!maintenance) return track;
    const announced = { from: 0, to: maintenance.scheduledTo.getTime() };
    return { ...track, segments: clipSegments(track.segments, announced) };
  });

const severity = { operational: 0, degraded: 1, partial_outage: 2, major_outage: 3 } as const;
type OperationalState = keyof typeof severity;

const isOperationalState = (state: ComponentState): state is OperationalState => state in severity;

const worstState = (states: readonly ComponentState[]): OperationalState | undefined =>
  states.filter(isOperationalState).sort((left, right) => severity[right] - severity[left])[0];

/**
 * The state if several sources report at one time, as the status page describes it. An operator's incident comes first
 * (the worst of several), then maintenance in progress, then the worst state of probes and dependencies. Without any of
 * these, the state is unknown. If an operator sets "operational" or "unknown", the earlier state of that incident or
 * maintenance no longer applies. Other sources aren't affected.
 */
const resolveState = (reported: readonly (Pick<Track, "source"> & Pick<Segment, "state">)[]): ComponentState => {
  const ofOperators = reported.filter(({ source }) => source === "operator").map(({ state }) => state);
  const incident = worstState(ofOperators);
  if (incident) return incident;
  if (ofOperators.includes("maintenance")) return "maintenance";
  return worstState(reported.map(({ state }) => state)) ?? "unknown";
};

/** Segments without effect are dropped early: there are many, one after each closed incident. */
const isSilent = ({ source }: Track, { state }: Segment): boolean =>
  state === "unknown" || (state === "operational" && source !== "probe");

/** One timeline that covers the window without gaps or overlaps. Adjacent segments have different states. */
export const mergeTracks = (tracks: readonly Track[], window: Span): Segment[] => {
  if (window.from >= window.to) return [];
  const edges = tracks
    .flatMap((track) =>
      clipSegments(
        track.segments.filter((segment) => !isSilent(track, segment)),
        window,
      ).flatMap((segment) => [
        { at: segment.from, track, state: segment.state },
        { at: segment.to, track, state: null },
      ]),
    )
    // If one segment ends when the next begins, the end comes first.
    .sort((left, right) => left.at - right.at || Number(left.state !== null) - Number(right.state !== null));
  const active = new Map<Track, ComponentState>();
  const segments: Segment[] = [];
  let from = window.from;
  const closeAt = (to: number) => {
    const reported = [...active].map(([{ source }, state]) => ({ source, state }));
    if (from < to) segments.push({ from, to, state: resolveState(reported) });
    from = to;
  };
  for (const { at, track, state } of edges) {
    closeAt(at);
    if (state === null) active.delete(track);
    else active.set(track, state);
  }
  closeAt(window.to);
  return joinEqual(segments);
};

const joinEqual = (segments: readonly Segment[]): Segment[] => {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (last?.to === segment.from && last.state === segment.state) last.to = segment.to;
    else joined.push({ ...segment });
  }
  return joined;
};
