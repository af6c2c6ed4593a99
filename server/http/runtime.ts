import type { Deps } from "../deps/deps.ts";
import type { RateLimiter } from "./limits/rate-limiter.ts";

/**
 * What `main.ts` wired for this process. Next bundles its own copy of the handlers, so the value lives on the global
 * object and both mounts of a handler see the same database pool, keys and clock.
 */
const slot = Symbol.for("paygrant.deps");
const limiterSlot = Symbol.for("paygrant.rate-limiter");
type Holder = { [slot]?: Deps; [limiterSlot]?: RateLimiter };

export const provideDeps = (deps: Deps): void => {
  (globalThis as Holder)[slot] = deps;
};

/** @throws Error before `provideDeps`, which is the case while Next builds. */
export const currentDeps = (): Deps => {
  const deps = (globalThis as Holder)[slot];
  if (!deps) throw new Error("the process is not wired: start it by server/main.ts");
  return deps;
};

export const provideRateLimiter = (limiter: RateLimiter): void => {
  (globalThis as Holder)[limiterSlot] = limiter;
};

/** @returns null in a process that serves nobody, and where a test calls a handler itself. */
export const findRateLimiter = (): RateLimiter | null => (globalThis as Holder)[limiterSlot] ?? null;
