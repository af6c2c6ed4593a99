import type { Sql } from "../data/client.ts";
import { findMerchantStanding } from "../data/merchants/standing.ts";
import { DomainError } from "../kernel/errors.ts";

/**
 * A merchant that no operator has approved registers no clients: they would be in the public directory under its name.
 * @throws DomainError merchant_pending, merchant_declined.
 */
export const refuseUnapproved = async (sql: Sql, merchantId: string): Promise<void> => {
  const standing = await findMerchantStanding(sql, merchantId);
  if (standing === "pending") {
    throw new DomainError("forbidden", {
      code: "merchant_pending",
      message: "The merchant is waiting for approval by Paygrant. Apps can be registered after the approval.",
    });
  }
  if (standing === "declined") {
    throw new DomainError("forbidden", {
      code: "merchant_declined",
      message: "Paygrant declined the merchant, so apps can’t be registered.",
    });
  }
};
