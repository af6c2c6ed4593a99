import type { MerchantRow } from "../../data/merchants/merchants.ts";
import { DomainError } from "../../kernel/errors.ts";

/**
 * No invitations are sent in the name of a declined or suspended merchant.
 * @throws DomainError merchant_declined, merchant_suspended.
 */
export const refuseInvitations = ({ standing }: Pick<MerchantRow, "standing">): void => {
  if (standing === "declined") {
    throw new DomainError("forbidden", {
      code: "merchant_declined",
      message: "Paygrant declined the merchant, so no one can be invited to its team.",
    });
  }
  if (standing === "suspended") {
    throw new DomainError("forbidden", {
      code: "merchant_suspended",
      message:
        "The merchant is suspended, so no one can be invited to its team. Try again when the suspension is lifted.",
    });
  }
};
