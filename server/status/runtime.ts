import type { Clock } from "../kernel/clock.ts";

/** What the status process watches. It has neither database nor key: it must answer when they are down. */
export type StatusDeps = { clock: Clock; productionUrl: string; sandboxUrl: string };

// On the global object for the reason given in http/runtime.ts.
const slot = Symbol.for("paygrant.status-deps");
type Holder = { [slot]?: StatusDeps };

export const provideStatusDeps = (deps: StatusDeps): void => {
  (globalThis as Holder)[slot] = deps;
};

/** @throws Error outside of the status process. */
export const currentStatusDeps = (): StatusDeps => {
  const deps = (globalThis as Holder)[slot];
  if (!deps) throw new Error("only the status process answers this");
  return deps;
};
