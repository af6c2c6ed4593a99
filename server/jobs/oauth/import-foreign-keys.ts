import { importForeignKeys } from "../../oauth/client-keys/import-foreign-keys.ts";
import type { Tick } from "../job.ts";

/**
 * Copies production's key list to the sandbox each minute (docs/spec/oauth.md, Key separation). A new sandbox can't
 * register clients until it has copied the list once. So this runs when the worker starts. A failed run is retried
 * after a second, then with increasing delays of up to a minute.
 */
export const importForeignKeysTick: Tick = {
  name: "import-foreign-keys",
  intervalMilliseconds: 60_000,
  async run(deps) {
    await importForeignKeys(deps);
    return { done: 1, hasMore: false };
  },
};
