import type { Config } from "../deps/config.ts";

/** Bounds that no test of something else meets. */
export const connections: Config["connections"] = {
  max: 5_000,
  headMilliseconds: 15_000,
  requestMilliseconds: 30_000,
  idleMilliseconds: 60_000,
};
