import { isUnavailable } from "../../data/unavailable.ts";
import { inProgressRefusal } from "./refuse-repeat.ts";

/**
 * A claim may be committed although the connection was lost during its commit or rollback: then the reconciler
 * continues it. So the answer never says that nothing was submitted; it asks to repeat under the same key.
 */
export const refuseUncertain = (error: unknown): never => {
  throw isUnavailable(error) ? inProgressRefusal() : error;
};
