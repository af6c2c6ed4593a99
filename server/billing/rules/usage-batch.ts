import { bodyHash, type OwnUsage, timeProblem } from "./usage-event.ts";

/** What is wrong with an event, and where in it (RFC 6901). */
type UsageProblem = { pointer: string; detail: string };

/** An event as it was sent: read, or what keeps it from being read. */
export type SentUsage = { usage: OwnUsage } | { problems: readonly UsageProblem[] };

/** An event that may enter the books, if its key is free. */
type Candidate = { usage: OwnUsage; hash: string };

type Judged = { key: string; hash: string; problem: string | null } | { problems: readonly UsageProblem[] };

export type UsageBatch = {
  /** one per event, in their order */
  judged: readonly Judged[];
  /** at most one per key: the first that is in time */
  candidates: ReadonlyMap<string, Candidate>;
  /** of all events that could be read */
  keys: ReadonlyMap<string, OwnUsage>;
};

/** What became of an event: it counts by this request, by an earlier one, or not at all. */
export type UsageVerdict =
  | { status: "accepted" | "duplicate" }
  | { status: "conflict" | "refused"; problems: readonly UsageProblem[] };

/** Names hold no NUL. */
export const usageKey = ({ source, eventId }: Pick<OwnUsage, "source" | "eventId">): string => `${source}\0${eventId}`;

export const planBatch = (sent: readonly SentUsage[], now: Date): UsageBatch => {
  const candidates = new Map<string, Candidate>();
  const keys = new Map<string, OwnUsage>();
  const judged = sent.map((one): Judged => {
    if (!("usage" in one)) return one;
    const { usage } = one;
    const key = usageKey(usage);
    const hash = bodyHash(usage);
    const problem = timeProblem(usage.time, now);
    keys.set(key, usage);
    if (problem === null && !candidates.has(key)) candidates.set(key, { usage, hash });
    return { key, hash, problem };
  });
  return { judged, candidates, keys };
};

/**
 * As if the events had come one by one, in their order.
 * @param entered keys whose candidate is in the books by this request.
 * @param known hashes by key of events that were there before.
 */
export const judgeBatch = (
  { judged, candidates }: UsageBatch,
  entered: ReadonlySet<string>,
  known: ReadonlyMap<string, string>,
): UsageVerdict[] => {
  const told = new Set<string>();
  return judged.map((one): UsageVerdict => {
    if (!("key" in one)) return { status: "refused", problems: one.problems };
    const { key, hash, problem } = one;
    const kept = entered.has(key) ? candidates.get(key)?.hash : known.get(key);
    if (kept === hash) {
      const isFirst = entered.has(key) && !told.has(key);
      told.add(key);
      return { status: isFirst ? "accepted" : "duplicate" };
    }
    if (problem !== null) return { status: "refused", problems: [{ pointer: "/time", detail: problem }] };
    return {
      status: "conflict",
      problems: [{ pointer: "/id", detail: "was already used for a different event of this source" }],
    };
  });
};
