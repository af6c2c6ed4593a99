/** When unknown outcomes are looked up. Billing looks up its own payments on the same schedule. */
export { afterNotFound, callSeconds, isNotSubmitted, lookupDelaySeconds } from "../rules/schedule.ts";
