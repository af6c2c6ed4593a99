import { chainEntries } from "../../audit/chain-entries.ts";
import type { Tick } from "../job.ts";

/**
 * Entries are chained a few seconds after they were written. This interval is short, but long enough for blocks of a
 * useful size.
 */
export const chainAuditTick: Tick = {
  name: "chain-audit",
  intervalMilliseconds: 5_000,
  run: async (deps) => ({ done: await chainEntries(deps), hasMore: false }),
};
