import { importForeignKeys } from "../../oauth/client-keys/import-foreign-keys.ts";
import type { Tick } from "../job.ts";

/**
 * The sandbox's copy of production's key list, each minute (docs/spec/oauth.md, Key separation). It runs as a
 * tick, because a new sandbox registers no client before its first copy: at start, or seconds after production starts.
 */
export const importForeignKeysTick: Tick = {
  name: "import-foreign-keys",
  intervalMilliseconds: 60_000,
  async run(deps) {
    await importForeignKeys(deps);
    return { done: 1, hasMore: false };
  },
};
