/** The last parameter of every function that sends requests. */
export type CallOptions = {
  /** aborts the call; the error has the code `aborted` */
  signal?: AbortSignal;
  /** limits each request of the call, retries included; the error has the code `timed_out`. Default: 30 seconds */
  timeoutMs?: number;
  /** sends the requests in place of the global fetch, for example to record them */
  fetch?: Fetch;
};

/** The part of fetch that the package uses. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;
export type FetchInit = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: "error";
  credentials: "omit";
  signal: AbortSignal;
};

const defaultTimeoutMs = 30_000;

/** The deadline of one request and its retries. */
export type Deadline = {
  fetch: Fetch;
  signal: AbortSignal;
  /** milliseconds until the deadline */
  left(): number;
  /** true if the caller aborted the call, false if the deadline passed */
  isAbortedByCaller(): boolean;
};

/** Runs `work` with a deadline, and releases the timer afterwards. */
export const withDeadline = async <Result>(
  { signal, timeoutMs = defaultTimeoutMs, fetch = globalThis.fetch }: CallOptions,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> => {
  if (!(timeoutMs > 0)) throw new TypeError("timeoutMs must be above 0");
  const controller = new AbortController();
  const end = performance.now() + timeoutMs;
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => controller.abort(), Math.min(timeoutMs, 2_147_483_647));
  try {
    return await work({
      fetch,
      signal: controller.signal,
      left: () => end - performance.now(),
      isAbortedByCaller: () => signal?.aborted ?? false,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
};
