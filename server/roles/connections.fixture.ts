import type { Config } from "../deps/config.ts";

/** Limits that are never reached by tests of other things. */
export const connections: Config["connections"] = {
  max: 5_000,
  headMilliseconds: 15_000,
  requestMilliseconds: 30_000,
  idleMilliseconds: 60_000,
};
