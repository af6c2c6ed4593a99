export const refundStatuses = ["pending", "succeeded", "failed"] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export const refundReasons = ["duplicate", "fraudulent", "requested_by_customer", "other"] as const;
export type RefundReason = (typeof refundReasons)[number];
