/** When an outcome that isn't known is looked up. Billing looks up its own payments in the same way. */
export { afterNotFound, callSeconds, isNotSubmitted, lookupDelaySeconds } from "../rules/schedule.ts";
