import type { ChargeState } from "../rules/charge-states.ts";

/** The groups of payment states that members can filter by. */
export const paymentShows = ["paid", "authorized", "under_way", "failed", "refunded", "disputed"] as const;

export type PaymentShow = (typeof paymentShows)[number];

export const paymentStates: Readonly<Record<PaymentShow, readonly ChargeState[]>> = {
  paid: ["succeeded", "captured", "partially_captured", "partially_refunded"],
  authorized: ["authorized"],
  under_way: ["reserved", "requires_action", "submitted", "processing", "unknown"],
  failed: ["declined", "voided", "expired"],
  refunded: ["refunded", "partially_refunded"],
  disputed: ["disputed"],
};
