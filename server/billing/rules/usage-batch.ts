import { bodyHash, maxMonthQuantity, type OwnUsage, timeProblem } from "./usage-event.ts";

/** A problem with an event, at a JSON pointer (RFC 6901). */
type UsageProblem = { pointer: string; detail: string };

/** A sent event: the parsed event, or its problems. */
export type SentUsage = { usage: OwnUsage } | { problems: readonly UsageProblem[] };

/** An event that can be recorded if its key is new. */
type Candidate = { usage: OwnUsage; hash: string };

type Judged = { key: string; hash: string; problem: string | null } | { problems: readonly UsageProblem[] };

export type UsageBatch = {
  /** one per event, in order */
  judged: readonly Judged[];
  /** at most one per key: the first with an accepted time */
  candidates: ReadonlyMap<string, Candidate>;
  /** the keys of all parsed events */
  keys: ReadonlyMap<string, OwnUsage>;
  /** keys of events that would exceed their meter's limit for the month */
  excess: ReadonlySet<string>;
};

/** Whether an event was recorded by this request, by an earlier request, or not at all. */
export type UsageVerdict =
  | { status: "accepted" | "duplicate" }
  | { status: "conflict" | "refused"; problems: readonly UsageProblem[] };

/** NUL separates the parts, because names can't contain NUL. */
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
  return { judged, candidates, keys, excess: new Set() };
};

const excessProblem: UsageProblem = {
  pointer: "/quantity",
  detail: `the sum of the meter's quantities in a UTC month must be at most ${maxMonthQuantity}`,
};

/**
 * The verdicts are the same as if the events were sent one by one, in order.
 * @param entered keys recorded by this request
 * @param known hashes by key of events recorded before
 */
export const judgeBatch = (
  { judged, candidates, excess }: UsageBatch,
  entered: ReadonlySet<string>,
  known: ReadonlyMap<string, string>,
): UsageVerdict[] => {
  const accepted = new Set<string>();
  return judged.map((one): UsageVerdict => {
    if (!("key" in one)) return { status: "refused", problems: one.problems };
    const { key, hash, problem } = one;
    const kept = entered.has(key) ? candidates.get(key)?.hash : known.get(key);
    if (kept === hash) {
      const isFirst = entered.has(key) && !accepted.has(key);
      accepted.add(key);
      return { status: isFirst ? "accepted" : "duplicate" };
    }
    if (problem !== null) return { status: "refused", problems: [{ pointer: "/time", detail: problem }] };
    if (excess.has(key)) return { status: "refused", problems: [excessProblem] };
    return {
      status: "conflict",
      problems: [{ pointer: "/id", detail: "was already used for a different event of this source" }],
    };
  });
};
