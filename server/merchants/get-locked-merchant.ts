import type { Sql } from "../data/client.ts";
import { lockMerchant, type MerchantRow } from "../data/merchants/merchants.ts";
import { merchantNotFound } from "./merchant-not-found.ts";

/**
 * Changes to one merchant and its team run one after another, so that each sees the result of the previous one. Lock
 * the merchant before its members and invitations, so that two changes can't deadlock.
 * @throws DomainError not_found.
 */
export const getLockedMerchant = async (sql: Sql, merchantId: string): Promise<MerchantRow> => {
  const merchant = await lockMerchant(sql, merchantId);
  if (!merchant) throw merchantNotFound();
  return merchant;
};
