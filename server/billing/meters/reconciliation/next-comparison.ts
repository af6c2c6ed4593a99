/** Used when the sandbox's clock is moved, so that each day is compared only once. */
export { nextComparison } from "../../rules/reconciliation-days.ts";
