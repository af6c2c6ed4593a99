import type { Config } from "../deps/config.ts";

/** Limits that tests of other features never reach. */
export const connections: Config["connections"] = {
  max: 5_000,
  headMilliseconds: 15_000,
  requestMilliseconds: 30_000,
  idleMilliseconds: 60_000,
};
