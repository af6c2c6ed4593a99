import { cosignLog } from "../../directory/log/cosign-log.ts";
import type { Tick } from "../job.ts";

/** Adds the cosignatures of witnesses to the published checkpoint (docs/spec/directory.md, Transparency log). */
export const cosignLogTick: Tick = {
  name: "cosign-directory-log",
  intervalMilliseconds: 1_000,
  isDue: (_work, { config }) => config.logWitnesses.length > 0,
  run: async (deps) => ({ done: await cosignLog(deps), hasMore: false }),
};
