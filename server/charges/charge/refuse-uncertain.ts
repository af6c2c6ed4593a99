import { isUnavailable } from "../../data/unavailable.ts";
import { inProgressRefusal } from "./refuse-repeat.ts";

/**
 * If the connection is lost while a claim is committed or rolled back, the claim may be committed. The reconciler then
 * continues the claimed work. The answer therefore never says that nothing was submitted. It asks the caller to repeat
 * the request with the same key.
 */
export const refuseUncertain = (error: unknown): never => {
  throw isUnavailable(error) ? inProgressRefusal() : error;
};
