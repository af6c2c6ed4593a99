import type { Actor } from "../../data/audit/audit.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";

/**
 * Who acts for a merchant: one of its clients, or a member in the dashboard. A member is identified by their account.
 */
export type MerchantActor = Actor & { kind: "client" | "merchant" };

/** Who settles a charge. */
export type SettledBy =
  | { kind: "charge" | "reconciler" | "processor" | "payer"; requestId: string }
  /** any client or member of the merchant, even if another client made the charge */
  | { kind: "merchant"; actor: MerchantActor; requestId: string }
  /** an operator who found out the outcome that the processor could not report */
  | { kind: "operator"; id: string; reason: string; requestId: string };

/**
 * The data of an audit entry about an act. If a member of the merchant acts, the data contains the merchant's id, and
 * the merchant's audit log shows the entry. The merchant's audit log doesn't show acts of the merchant's clients.
 */
export const memberData = (merchantId: string, actor: Actor): { merchant_id?: string } =>
  actor.kind === "merchant" ? { merchant_id: merchantId } : {};

export const actorOf = (charge: ChargeRow, by: SettledBy): Actor => {
  switch (by.kind) {
    case "charge":
      return { kind: "client", id: charge.merchantClientId };
    case "merchant":
      return by.actor;
    case "operator":
      return { kind: "operator", id: by.id };
    case "payer":
      return { kind: "payer", id: charge.payerId };
    case "reconciler":
    case "processor":
      return { kind: "system", id: by.kind };
  }
};
