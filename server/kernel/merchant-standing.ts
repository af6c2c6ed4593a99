/**
 * Whether a merchant can accept new charges. `pending` and `declined`: an operator hasn't approved it. `not_connected`:
 * the processor doesn't accept charges for its account. `unpaid`: it didn't pay our invoice within the grace period.
 * `no_plan`: its subscription has ended.
 */
export type MerchantStanding = "active" | "suspended" | "pending" | "declined" | "not_connected" | "unpaid" | "no_plan";
