import type { ChargeState } from "../../rules/charge-states.ts";
import type { RefundStatus } from "../../rules/refund.ts";

export const activityKinds = ["charge", "refund"] as const;

/** The parts of the activity that payers can filter by. */
export const activityShows = ["under_way", "paid", "failed", "refunded"] as const;

export type ActivityShow = (typeof activityShows)[number];

export const activityStates: Readonly<Record<ActivityShow, readonly ChargeState[]>> = {
  under_way: ["reserved", "requires_action", "submitted", "processing", "unknown", "authorized"],
  paid: ["succeeded", "captured", "partially_captured", "partially_refunded"],
  failed: ["declined", "voided", "expired"],
  refunded: ["refunded", "partially_refunded", "disputed"],
};

export const activityRefundStates: Readonly<Record<ActivityShow, readonly RefundStatus[]>> = {
  under_way: ["pending"],
  paid: [],
  failed: ["failed"],
  refunded: ["succeeded"],
};
