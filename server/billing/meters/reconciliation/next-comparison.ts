/** A move of the sandbox's clock uses it to compare a day only once. */
export { nextComparison } from "../../rules/reconciliation-days.ts";
