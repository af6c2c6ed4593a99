import { isUnavailable } from "../../data/unavailable.ts";
import { inProgress } from "./refuse-repeat.ts";

/**
 * A claim may stand though nobody could say so, its connection lost while it was committed or taken back: then the
 * reconciler carries it out. So nobody is told that nothing was submitted, but to ask again under the same key.
 */
export const refuseUncertain = (error: unknown): never => {
  throw isUnavailable(error) ? inProgress() : error;
};
