import type { Sql } from "../data/client.ts";
import { findMerchantSettings } from "../data/merchants/merchant-settings.ts";
import { DomainError } from "../kernel/errors.ts";

/**
 * A merchant that isn't approved can't register clients: they would be in the public directory under its name.
 * @throws DomainError merchant_pending, merchant_declined.
 */
export const refuseUnapproved = async (sql: Sql, merchantId: string): Promise<void> => {
  const review = (await findMerchantSettings(sql, merchantId))?.review;
  if (review === "pending") {
    throw new DomainError("forbidden", {
      code: "merchant_pending",
      message: "The merchant is waiting for approval by Paygrant. Apps can be registered after the approval.",
    });
  }
  if (review === "declined") {
    throw new DomainError("forbidden", {
      code: "merchant_declined",
      message: "Paygrant declined the merchant, so apps can’t be registered.",
    });
  }
};
