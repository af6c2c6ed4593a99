import type { Processor } from "../deps/processor-port.ts";

const windowSeconds = 30;
const leastCalls = 20;
/** How long calls are refused before one may test the processor. */
const openMs = 5_000;

export type CircuitBreaker = {
  /** Whether this call may be made. While the breaker is open, one call every 5 s may test the processor. */
  admits(): boolean;
  record(isFailure: boolean): void;
};

/**
 * Opens if at least 50% of at least 20 calls in 30 s fail (docs/spec/payments.md, Processors). A successful call closes
 * it.
 * @param nowMs monotonic, in milliseconds.
 */
export const createCircuitBreaker = (nowMs: () => number): CircuitBreaker => {
  /** one bucket per second */
  let buckets: { second: number; calls: number; failures: number }[] = [];
  let retryAt: number | null = null;

  const isTripped = (second: number): boolean => {
    buckets = buckets.filter((bucket) => bucket.second > second - windowSeconds);
    const calls = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
    const failures = buckets.reduce((sum, bucket) => sum + bucket.failures, 0);
    return calls >= leastCalls && failures * 2 >= calls;
  };

  return {
    admits() {
      if (retryAt === null) return true;
      if (nowMs() < retryAt) return false;
      // Until a call succeeds, one call every 5 s is admitted.
      retryAt = nowMs() + openMs;
      return true;
    },
    record(isFailure) {
      const second = Math.floor(nowMs() / 1000);
      if (retryAt !== null && !isFailure) {
        buckets = [];
        retryAt = null;
        return;
      }
      const last = buckets.at(-1);
      const bucket = last?.second === second ? last : { second, calls: 0, failures: 0 };
      if (bucket !== last) buckets.push(bucket);
      bucket.calls += 1;
      bucket.failures += isFailure ? 1 : 0;
      if (retryAt === null && isFailure && isTripped(second)) retryAt = nowMs() + openMs;
    },
  };
};

type Outcome = { kind: string; isAccountFault?: true };

/**
 * A processor with a breaker: while it is open, payments, captures, voids and refunds return `not_sent`. Look-ups are
 * always sent: they change nothing, and show whether the processor is available again. Card setups and calls about
 * merchants' accounts don't use the breaker.
 */
export const withCircuitBreaker = (processor: Processor, breaker: CircuitBreaker): Processor => {
  const watch = async <T extends Outcome>(call: Promise<T>): Promise<T> => {
    const outcome = await call;
    if (!outcome.isAccountFault) breaker.record(outcome.kind === "unknown" || outcome.kind === "not_sent");
    return outcome;
  };
  const guard = <T extends Outcome>(call: () => Promise<T>): Promise<T | { kind: "not_sent" }> =>
    breaker.admits() ? watch(call()) : Promise.resolve({ kind: "not_sent" });
  const listRefunds = processor.listRefunds?.bind(processor);
  const { ownAccount } = processor;
  return {
    ...processor,
    ...(listRefunds ? { listRefunds: (request) => watch(listRefunds(request)) } : {}),
    ...(ownAccount
      ? {
          ownAccount: {
            id: ownAccount.id,
            pay: (request) => guard(() => ownAccount.pay(request)),
            lookup: (request) => watch(ownAccount.lookup(request)),
          },
        }
      : {}),
    // A requested fault says nothing about the processor.
    pay: (request) =>
      processor.requestsFault?.(request) ? processor.pay(request) : guard(() => processor.pay(request)),
    capture: (request) => guard(() => processor.capture(request)),
    void: (request) => guard(() => processor.void(request)),
    refund: (request) => guard(() => processor.refund(request)),
    lookup: (request) => watch(processor.lookup(request)),
    findRefund: (request) => watch(processor.findRefund(request)),
    findDispute: (request) => watch(processor.findDispute(request)),
  };
};
