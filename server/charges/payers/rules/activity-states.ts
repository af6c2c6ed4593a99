import type { ChargeState } from "../../rules/charge-states.ts";

/** The states by which payers filter their activity. */
export const activityStates = {
  under_way: ["reserved", "requires_action", "submitted", "processing", "unknown", "authorized"],
  paid: ["succeeded", "captured", "partially_captured", "partially_refunded"],
  failed: ["declined", "voided", "expired"],
  refunded: ["refunded", "partially_refunded", "disputed"],
} as const satisfies Record<string, readonly ChargeState[]>;
