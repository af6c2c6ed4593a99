import { isUnavailable } from "../data/unavailable.ts";
import { inProgress } from "./create-charge.ts";

/**
 * The connection was lost while a claim was being committed: it may stand, and then the reconciler carries it out. So
 * nobody is told that nothing was submitted, but to ask again under the same key.
 */
export const refuseUncertain = (error: unknown): never => {
  throw isUnavailable(error) ? inProgress() : error;
};
