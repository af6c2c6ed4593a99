import type { Policy } from "../../contract/limit-classes.ts";
import type { Quota } from "../../deps/config.ts";
import { costOf, maxDebtMilliseconds } from "../../platform/limits/token-bucket.ts";

/** The refused caller and the subject of its request, for the audit log. */
type Party = { actor: { kind: "client" | "merchant" | "anonymous"; id: string }; subjectId: string };

/** A request that a bucket refused, for the audit log. */
export type Refusal = { at: Date; requestId: string; operation: string; policy: Policy; key: string; party: Party };

/** One node's copy of a bucket. */
export type Bucket = {
  readonly key: string;
  readonly quota: Quota;
  /** by this node's clock */
  fullAt: number;
  /** requests allowed and not yet reported, and the time of the first; negative if reported requests were given back */
  taken: number;
  takenSince: number;
  /** requests in the last report; since then, another node may have allowed as many */
  reported: number;
  refusal: Refusal | null;
};

/** The use of a bucket by one node since its last report. */
export type Usage = {
  key: string;
  /** time after which the quota of the taken requests is available again */
  takenMilliseconds: number;
  /** time since the first of these requests */
  sinceMilliseconds: number;
  /** upper limit of the bucket's debt */
  maxOwedMilliseconds: number;
  isRefused: boolean;
};

/** The level of a bucket over all nodes. */
export type SharedLevel = {
  key: string;
  owedMilliseconds: number;
  /** the bucket refused a request, and this node must audit the refusal; only one node per minute does so */
  isAuditDue: boolean;
};

/** Usage below this share of the rate isn't reported: it stays negligible over any realistic number of nodes. */
const negligibleShare = 1 / 50;
const leastStretchMilliseconds = 1000;
/** Buckets per statement. */
const maxReported = 500;

/**
 * The usage that this node reports, and the levels that it gets back. Bounded: usage that doesn't fit isn't reported.
 */
export class UsageLedger {
  readonly #capacity: number;
  readonly #unreported = new Map<string, Bucket>();
  /** the buckets in the current report, with their refusals */
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

  /** The heaviest usage first; the rest waits for the next report, and negligible usage is dropped. */
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
        maxOwedMilliseconds: maxDebtMilliseconds(bucket.quota),
        isRefused: bucket.refusal !== null,
      };
    });
  }

  /** The last report failed: its usage counts as unreported again. */
  undoReport(): void {
    for (const { bucket } of this.#reporting.values()) {
      bucket.taken += bucket.reported;
      bucket.reported = 0;
      this.add(bucket);
    }
  }

  /** @param reportedAt when `report` was called. @returns the refusals that this node must audit. */
  apply(levels: readonly SharedLevel[], reportedAt: number): Refusal[] {
    const due: Refusal[] = [];
    for (const { key, owedMilliseconds, isAuditDue } of levels) {
      const entry = this.#reporting.get(key);
      if (!entry) continue;
      const { bucket, refusal } = entry;
      // The requests that this node allowed during the report aren't in the shared level yet.
      const givenSince = bucket.taken * costOf(bucket.quota);
      const owed = Math.min(owedMilliseconds, maxDebtMilliseconds(bucket.quota));
      bucket.fullAt = Math.max(bucket.fullAt, reportedAt + owed + givenSince);
      if (isAuditDue && refusal) due.push(refusal);
      // A refusal during the report is part of the next report.
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
