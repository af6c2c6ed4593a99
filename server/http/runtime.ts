import type { Deps } from "../deps/deps.ts";
import type { ApiLog } from "../platform/api-log/api-log.ts";
import type { RateLimiter } from "./limits/rate-limiter.ts";

/**
 * The dependencies that `main.ts` wired for this process. Next bundles its own copy of the handlers. The
 * dependencies are on the global object, so that both copies use the same database pool, keys and clock.
 */
const slot = Symbol.for("paygrant.deps");
const limiterSlot = Symbol.for("paygrant.rate-limiter");
const apiLogSlot = Symbol.for("paygrant.api-log");
type Holder = { [slot]?: Deps; [limiterSlot]?: RateLimiter; [apiLogSlot]?: ApiLog };

export const provideDeps = (deps: Deps): void => {
  (globalThis as Holder)[slot] = deps;
};

/** @throws Error before `provideDeps` was called, for example while Next builds. */
export const currentDeps = (): Deps => {
  const deps = (globalThis as Holder)[slot];
  if (!deps) throw new Error("the process has no dependencies: start it with server/main.ts");
  return deps;
};

export const provideRateLimiter = (limiter: RateLimiter): void => {
  (globalThis as Holder)[limiterSlot] = limiter;
};

/** @returns null in a process without an HTTP server, and in tests that call a handler directly. */
export const findRateLimiter = (): RateLimiter | null => (globalThis as Holder)[limiterSlot] ?? null;

export const provideApiLog = (log: ApiLog): void => {
  (globalThis as Holder)[apiLogSlot] = log;
};

/** @returns null in a process without an HTTP server, and in tests that call a handler directly. */
export const currentApiLog = (): ApiLog | null => (globalThis as Holder)[apiLogSlot] ?? null;
