import type { Sql } from "../../data/client.ts";
import { findMerchantStanding } from "../../data/merchants/standing.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { MerchantStanding } from "../../kernel/merchant-standing.ts";
import { inactivityStops, type PaymentAct, standingCodes, standingMessages } from "../rules/merchant-standing.ts";

/**
 * @returns the refusal if the merchant can't charge, with a text for the merchant or for the payer; null if the request
 *   is allowed.
 */
export const inactivityRefusal = (
  act: PaymentAct,
  { standing }: { standing: MerchantStanding },
): DomainError | null => {
  if (standing === "active" || !inactivityStops(act)) return null;
  const code = standingCodes[standing];
  return act === "approve"
    ? new DomainError("conflict", {
        code,
        message:
          "This merchant can’t accept new payments at the moment. Nothing was charged. If you do nothing, the request expires.",
      })
    : new DomainError("forbidden", { code, message: standingMessages[standing] });
};

/**
 * @throws DomainError merchant_suspended, merchant_pending, merchant_declined, processor_not_connected,
 *   billing_overdue, billing_plan_ended.
 */
export const refuseInactive = async (sql: Sql, act: PaymentAct, merchantId: string): Promise<void> => {
  if (!inactivityStops(act)) return;
  const refusal = inactivityRefusal(act, { standing: await findMerchantStanding(sql, merchantId) });
  if (refusal) throw refusal;
};
