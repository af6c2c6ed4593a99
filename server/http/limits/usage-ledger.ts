import type { Policy } from "../../contract/limit-classes.ts";
import type { Quota } from "../../deps/config.ts";
import { costOf, mostOwedOf } from "../../platform/limits/token-bucket.ts";

/** Who is refused, and what it asked about, for the audit log. */
type Party = { actor: { kind: "client" | "merchant" | "anonymous"; id: string }; subjectId: string };

/** The request that a bucket refused, for the audit log. */
export type Refusal = { at: Date; requestId: string; operation: string; policy: Policy; key: string; party: Party };

/** A bucket as one node knows it. */
export type Bucket = {
  readonly key: string;
  readonly quota: Quota;
  /** of this node's own clock */
  fullAt: number;
  /** what it gave and told nobody yet, and since when; below zero where what was told came back */
  taken: number;
  takenSince: number;
  /** what it gave before that and told last; others may have told as much after it */
  reported: number;
  refusal: Refusal | null;
};

/** What one node took from a bucket since it last told the others. */
export type Usage = {
  key: string;
  /** how long what was taken takes to drain */
  takenMilliseconds: number;
  /** since the first of it was taken */
  sinceMilliseconds: number;
  /** more than this the bucket never owes */
  mostOwedMilliseconds: number;
  isRefused: boolean;
};

/** How a bucket stands over all nodes. */
export type SharedLevel = {
  key: string;
  owedMilliseconds: number;
  /** true for one node in any minute, of a bucket that refused */
  isAuditDue: boolean;
};

/** Use of less than this share of the rate adds up to nothing over any number of nodes that there may be. */
const negligibleShare = 1 / 50;
const leastStretchMilliseconds = 1000;
/** Buckets told in one statement. */
const maxReported = 500;

/** What this node has to tell the others, and what they say to it. Bounded: what doesn't fit is known here alone. */
export class UsageLedger {
  readonly #capacity: number;
  readonly #unreported = new Map<string, Bucket>();
  /** with the refusal that was told of, where there was one by then */
  #reporting = new Map<string, { bucket: Bucket; refusal: Refusal | null }>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#unreported.size;
  }

  find(key: string): Bucket | undefined {
    return this.#unreported.get(key);
  }

  add(bucket: Bucket): void {
    if (this.#unreported.size < this.#capacity) this.#unreported.set(bucket.key, bucket);
  }

  /** The heaviest first; the others wait for the next time, and what nobody needs to know is dropped. */
  report(now: number): Usage[] {
    const waiting = [...this.#unreported.values()].filter((bucket) => isWorthReporting(bucket, now) || !forget(bucket));
    waiting.sort((left, right) => weightOf(right) - weightOf(left));
    this.#unreported.clear();
    for (const bucket of waiting.slice(maxReported)) this.#unreported.set(bucket.key, bucket);
    const batch = waiting.slice(0, maxReported);
    this.#reporting = new Map(batch.map((bucket) => [bucket.key, { bucket, refusal: bucket.refusal }]));
    return batch.map((bucket) => {
      bucket.reported = bucket.taken;
      bucket.taken = 0;
      return {
        key: bucket.key,
        takenMilliseconds: bucket.reported * costOf(bucket.quota),
        sinceMilliseconds: Math.max(now - bucket.takenSince, 0),
        mostOwedMilliseconds: mostOwedOf(bucket.quota),
        isRefused: bucket.refusal !== null,
      };
    });
  }

  /** The last batch reached nobody. */
  undoReport(): void {
    for (const { bucket } of this.#reporting.values()) {
      bucket.taken += bucket.reported;
      bucket.reported = 0;
      this.add(bucket);
    }
  }

  /** @param reportedAt when `tell` was called. @returns the refusals that are for this node to audit. */
  apply(levels: readonly SharedLevel[], reportedAt: number): Refusal[] {
    const due: Refusal[] = [];
    for (const { key, owedMilliseconds, isAuditDue } of levels) {
      const entry = this.#reporting.get(key);
      if (!entry) continue;
      const { bucket, refusal } = entry;
      // What this node gave meanwhile, the others don't know yet.
      const givenSince = bucket.taken * costOf(bucket.quota);
      const owed = Math.min(owedMilliseconds, mostOwedOf(bucket.quota));
      bucket.fullAt = Math.max(bucket.fullAt, reportedAt + owed + givenSince);
      if (isAuditDue && refusal) due.push(refusal);
      // One that came while this was on its way is told next.
      if (bucket.refusal === refusal) bucket.refusal = null;
    }
    return due;
  }
}

const isWorthReporting = ({ refusal, taken, takenSince, quota }: Bucket, now: number): boolean =>
  refusal !== null ||
  Math.abs(taken) * costOf(quota) >= negligibleShare * Math.max(now - takenSince, leastStretchMilliseconds);

const forget = (bucket: Bucket): true => {
  bucket.taken = 0;
  return true;
};

const weightOf = ({ refusal, taken, quota }: Bucket): number => (refusal ? 1 : 0) + taken / quota.requests;
