import type { Policies, Policy } from "../../contract/limit-classes.ts";
import type { Subject } from "../../deps/config.ts";
import { RecentMap } from "../../platform/limits/recent-map.ts";
import { costOf, drain, type Level, take } from "../../platform/limits/token-bucket.ts";
import { type Bucket, type Refusal, type SharedLevel, type Usage, UsageLedger } from "./usage-ledger.ts";

export type RateLimiterOptions = {
  policies: Policies;
  /** monotonic, in milliseconds */
  now(): number;
  /** adds this node's usage to the shared usage of all nodes */
  share(usages: readonly Usage[]): Promise<readonly SharedLevel[]>;
  /** never rejects */
  audit(refusal: Refusal): Promise<void>;
  /** called at the first of several consecutive failures, and at the first success after them */
  onReach(isReachable: boolean, error?: unknown): void;
  /** buckets that a node keeps per kind of subject */
  capacity?: number;
};

const intervalMilliseconds = 1000;
/** If this share of a bucket's quota was used since the last report, the bucket is reported early. */
const earlyShare = 1 / 8;
const earlyPauseMilliseconds = 100;

/**
 * Applies limits by buckets in this process. Nodes report their usage to each other in the background and apply each
 * other's reports. No request waits for a report. Without a database, each node applies the limits on its own. Memory
 * is bounded: the bucket that was used least recently is dropped, which can only admit more requests.
 */
export class RateLimiter {
  readonly policies: Policies;
  readonly #options: RateLimiterOptions;
  /** separate, so that many IP addresses can't displace a client's bucket */
  readonly #buckets: Readonly<Record<Subject, RecentMap<Bucket>>>;
  readonly #ledger: UsageLedger;
  #isReachable = true;
  #timer: NodeJS.Timeout | undefined;
  #early: NodeJS.Timeout | undefined;
  #sharing: Promise<void> | undefined;

  constructor(options: RateLimiterOptions) {
    const { policies, capacity = 50_000 } = options;
    this.policies = policies;
    this.#options = options;
    this.#buckets = { address: new RecentMap(capacity), client: new RecentMap(capacity) };
    this.#ledger = new UsageLedger(capacity);
  }

  /** Counts one request against the bucket of `key` under this policy. */
  take(policy: Policy, key: string): Level & { isAllowed: boolean } {
    const now = this.#options.now();
    const bucket = this.#bucketOf(policy, key, now);
    const { isAllowed, fullAt, remaining, untilNextMilliseconds } = take(bucket.quota, bucket.fullAt, now);
    if (!isAllowed) {
      return { isAllowed, remaining, untilNextMilliseconds: untilNextMilliseconds + this.#unknownMilliseconds(bucket) };
    }
    this.#setTaken(bucket, { requests: 1, fullAt, now });
    return { isAllowed, remaining, untilNextMilliseconds };
  }

  /** Counts additional requests for an admitted request that costs more. The bucket may go into debt. */
  drain(policy: Policy, key: string, requests: number): Level {
    const now = this.#options.now();
    const bucket = this.#bucketOf(policy, key, now);
    const { fullAt, ...level } = drain(bucket.quota, { fullAt: bucket.fullAt, now, requests });
    this.#setTaken(bucket, { requests, fullAt, now });
    return level;
  }

  /** Undoes an allowed `take` whose request belonged to another subject. */
  giveBack(policy: Policy, key: string): void {
    const now = this.#options.now();
    const bucket = this.#bucketOf(policy, key, now);
    // If the request was reported in the meantime, the next report corrects this.
    this.#setTaken(bucket, { requests: -1, fullAt: bucket.fullAt - costOf(bucket.quota), now });
  }

  /**
   * Keeps a refusal until the next report, which audits it unless the bucket's last audited refusal is under a minute
   * old.
   */
  noteRefusal(refusal: Refusal): void {
    const bucket = this.#bucketOf(refusal.policy, refusal.key, this.#options.now());
    bucket.refusal ??= refusal;
    this.#ledger.add(bucket);
  }

  start(): void {
    this.#timer = setInterval(() => void this.share(), intervalMilliseconds).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#early);
    await this.#sharing;
    await this.share();
  }

  /** Reports the usage since the last report, one statement at a time. Never rejects. */
  async share(): Promise<void> {
    this.#sharing ??= this.#shareOnce().finally(() => {
      this.#sharing = undefined;
    });
    await this.#sharing;
  }

  /** Number of buckets in memory. A bucket that also waits to be reported counts twice. */
  get size(): number {
    return this.#buckets.address.size + this.#buckets.client.size + this.#ledger.size;
  }

  #bucketOf({ subject, name, quota }: Policy, key: string, now: number): Bucket {
    const buckets = this.#buckets[subject];
    const fullKey = `${name} ${key}`;
    const known = buckets.get(fullKey);
    if (known) return known;
    const bucket = this.#ledger.find(fullKey) ?? {
      key: fullKey,
      quota,
      fullAt: now,
      taken: 0,
      takenSince: now,
      reported: 0,
      refusal: null,
    };
    buckets.set(fullKey, bucket);
    return bucket;
  }

  #setTaken(bucket: Bucket, { requests, fullAt, now }: { requests: number; fullAt: number; now: number }): void {
    bucket.fullAt = fullAt;
    if (bucket.taken === 0) bucket.takenSince = now;
    bucket.taken += requests;
    this.#ledger.add(bucket);
    if (bucket.taken > bucket.quota.requests * earlyShare) this.#shareEarly();
  }

  /**
   * Another node may have allowed the same number of requests as this node and not reported them yet. The wait that is
   * announced to the caller includes the cost of these requests.
   */
  #unknownMilliseconds({ reported, taken, quota }: Bucket): number {
    return this.#isReachable ? Math.min(Math.max(reported + taken, 0), quota.requests) * costOf(quota) : 0;
  }

  #shareEarly(): void {
    if (!this.#timer || this.#early || !this.#isReachable) return;
    this.#early = setTimeout(() => {
      this.#early = undefined;
      void this.share();
    }, earlyPauseMilliseconds).unref();
  }

  async #shareOnce(): Promise<void> {
    const reportedAt = this.#options.now();
    const usages = this.#ledger.report(reportedAt);
    if (usages.length === 0) return;
    try {
      const due = this.#ledger.apply(await this.#options.share(usages), reportedAt);
      this.#setReachable(true);
      await Promise.all(due.map((refusal) => this.#options.audit(refusal)));
    } catch (error) {
      this.#ledger.undoReport();
      this.#setReachable(false, error);
    }
  }

  #setReachable(isReachable: boolean, error?: unknown): void {
    if (isReachable !== this.#isReachable) this.#options.onReach(isReachable, error);
    this.#isReachable = isReachable;
  }
}
