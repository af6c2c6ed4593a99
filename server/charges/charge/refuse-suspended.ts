import type { Sql } from "../../data/client.ts";
import { isMerchantSuspended } from "../../data/merchants/merchants.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type PaymentAct, suspensionStops } from "../rules/suspension.ts";

/** @returns the refusal for a suspended merchant, or for a payer who would pay it; null if the act may continue. */
export const suspensionRefusal = (act: PaymentAct, { isSuspended }: { isSuspended: boolean }): DomainError | null => {
  if (!isSuspended || !suspensionStops(act)) return null;
  return act === "approve"
    ? new DomainError("conflict", {
        code: "merchant_suspended",
        message:
          "This merchant can’t accept new payments at the moment. Nothing was charged. If you do nothing, the request expires.",
      })
    : new DomainError("forbidden", {
        code: "merchant_suspended",
        message:
          "The merchant is suspended from new charges. Existing charges can still be captured, voided and refunded.",
      });
};

/** @throws DomainError merchant_suspended. */
export const refuseSuspended = async (sql: Sql, act: PaymentAct, merchantId: string): Promise<void> => {
  if (!suspensionStops(act)) return;
  const refusal = suspensionRefusal(act, { isSuspended: await isMerchantSuspended(sql, merchantId) });
  if (refusal) throw refusal;
};
