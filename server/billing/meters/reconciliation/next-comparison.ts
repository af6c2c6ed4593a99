/** The move of the sandbox's clock uses this function to compare each day only once. */
export { nextComparison } from "../../rules/reconciliation-days.ts";
