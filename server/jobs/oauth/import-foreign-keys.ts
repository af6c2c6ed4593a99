import { importForeignKeys } from "../../oauth/client-keys/import-foreign-keys.ts";
import type { Tick } from "../job.ts";

/**
 * The sandbox's copy of production's key list, each minute (docs/spec/oauth.md, Key separation). A tick, since a fresh
 * sandbox registers
 * nobody before its first copy: it comes at the start, or seconds after production's own.
 */
export const importForeignKeysTick: Tick = {
  name: "import-foreign-keys",
  intervalMilliseconds: 60_000,
  async run(deps) {
    await importForeignKeys(deps);
    return { done: 1, hasMore: false };
  },
};
