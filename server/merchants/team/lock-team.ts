import type { Sql } from "../../data/client.ts";
import { lockMerchant, type MerchantRow } from "../../data/merchants/merchants.ts";
import { merchantNotFound } from "../merchant-not-found.ts";

/** Changes of one team run one after another, so that each sees the roles that the one before left. */
export const lockTeam = async (sql: Sql, merchantId: string): Promise<MerchantRow> => {
  const merchant = await lockMerchant(sql, merchantId);
  if (!merchant) throw merchantNotFound();
  return merchant;
};
