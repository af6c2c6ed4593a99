import type { Policies, Policy } from "../../contract/limit-classes.ts";
import type { Subject } from "../../deps/config.ts";
import { RecentMap } from "../../platform/limits/recent-map.ts";
import { costOf, drain, type Level, take } from "../../platform/limits/token-bucket.ts";
import { type Bucket, type Refusal, type SharedLevel, type Usage, UsageLedger } from "./usage-ledger.ts";

export type RateLimiterOptions = {
  policies: Policies;
  /** monotonic, in milliseconds */
  now(): number;
  /** adds what this node took to what the others took */
  share(usages: readonly Usage[]): Promise<readonly SharedLevel[]>;
  /** never rejects */
  audit(refusal: Refusal): Promise<void>;
  /** called at the first failure in a row, and at the first success after it */
  onReach(isReachable: boolean, error?: unknown): void;
  /** buckets of each kind of subject that a node remembers */
  capacity?: number;
};

const intervalMilliseconds = 1000;
/** A bucket that gave so much of itself since it was last told is told early. */
const earlyShare = 1 / 8;
const earlyPauseMilliseconds = 100;

/**
 * Limits by buckets of this process, which are told to the other nodes in the background and take on what those told:
 * no request waits for it, and without a database each node limits by itself. Memory is bounded: what is forgotten is a
 * bucket that was not asked for lately, and forgetting only ever lets a request through.
 */
export class RateLimiter {
  readonly policies: Policies;
  readonly #options: RateLimiterOptions;
  /** apart, so that no crowd of addresses can make a client's bucket be forgotten */
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

  /** Takes one request out of the bucket of `key` under this policy. */
  take(policy: Policy, key: string): Level & { isAllowed: boolean } {
    const now = this.#options.now();
    const bucket = this.#bucketOf(policy, key, now);
    const { isAllowed, fullAt, remaining, untilNextMilliseconds } = take(bucket.quota, bucket.fullAt, now);
    if (!isAllowed) {
      return { isAllowed, remaining, untilNextMilliseconds: untilNextMilliseconds + this.#unknownMilliseconds(bucket) };
    }
    this.#setTaken(bucket, 1, fullAt, now);
    return { isAllowed, remaining, untilNextMilliseconds };
  }

  /** Takes what a request that was let through cost beyond one; what the bucket doesn't hold it owes. */
  drain(policy: Policy, key: string, requests: number): Level {
    const now = this.#options.now();
    const bucket = this.#bucketOf(policy, key, now);
    const { fullAt, ...level } = drain(bucket.quota, bucket.fullAt, now, requests);
    this.#setTaken(bucket, requests, fullAt, now);
    return level;
  }

  /** Undoes a `take` that was allowed: the request was not its subject's after all. */
  giveBack(policy: Policy, key: string): void {
    const now = this.#options.now();
    const bucket = this.#bucketOf(policy, key, now);
    // Where it was told meanwhile, that is taken back by the next telling.
    this.#setTaken(bucket, -1, bucket.fullAt - costOf(bucket.quota), now);
  }

  /** Remembers a refusal until the next telling, which audits it unless the bucket's last one is less than a minute ago. */
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

  /** Tells what was taken since the last time, one statement at a time. Never rejects. */
  async share(): Promise<void> {
    this.#sharing ??= this.#shareOnce().finally(() => {
      this.#sharing = undefined;
    });
    await this.#sharing;
  }

  /** Buckets that it holds; one that is both remembered and untold counts twice. */
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

  #setTaken(bucket: Bucket, requests: number, fullAt: number, now: number): void {
    bucket.fullAt = fullAt;
    if (bucket.taken === 0) bucket.takenSince = now;
    bucket.taken += requests;
    this.#ledger.add(bucket);
    if (bucket.taken > bucket.quota.requests * earlyShare) this.#shareEarly();
  }

  /** Another node may have given as much as this one did lately and not said so: waiting must suffice all the same. */
  #unknownMilliseconds({ reported: told, taken, quota }: Bucket): number {
    return this.#isReachable ? Math.min(Math.max(told + taken, 0), quota.requests) * costOf(quota) : 0;
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
