import { forgetRefreshSuccessors } from "../../data/oauth/refresh-tokens.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refreshRetrySeconds } from "../rules/tokens/tokens.ts";

/**
 * Refresh tokens are stored as hashes. For identical retries, a successor is also stored sealed, until the time for
 * retries is over.
 */
export const forgetSuccessors = (deps: Deps, input: { limit: number }): Promise<number> =>
  forgetRefreshSuccessors(deps.db.sql, addSeconds(deps.clock.now(), -refreshRetrySeconds), input.limit);
