import { chainEntries } from "../../audit/chain-entries.ts";
import type { Tick } from "../job.ts";

/** Entries are in the chain some seconds after they were written. Often enough, and seldom enough for blocks of some size. */
export const chainAuditTick: Tick = {
  name: "chain-audit",
  intervalMilliseconds: 5_000,
  run: async (deps) => ({ done: await chainEntries(deps), hasMore: false }),
};
