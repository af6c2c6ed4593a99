import { AsyncLocalStorage } from "node:async_hooks";
import type { DomainError } from "../../kernel/errors.ts";

/** A page that Next renders. `unavailable`: why it failed, if its reader may try again. */
export type Rendering = { unavailable: DomainError | null };

/** Next bundles its own copy of this module, so both copies use the global object. */
const slot = Symbol.for("paygrant.renderings");
type Holder = { [slot]?: AsyncLocalStorage<Rendering> };

const renderings = (): AsyncLocalStorage<Rendering> => {
  const holder = globalThis as Holder;
  holder[slot] ??= new AsyncLocalStorage();
  return holder[slot];
};

export const runRendering = <T>(rendering: Rendering, render: () => T): T => renderings().run(rendering, render);

/** Reports why the page that is being rendered fails. */
export const reportUnavailable = (error: DomainError): void => {
  const rendering = renderings().getStore();
  if (rendering) rendering.unavailable ??= error;
};
