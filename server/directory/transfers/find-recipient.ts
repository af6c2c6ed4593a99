import type { Sql } from "../../data/client.ts";
import { findMerchant, type MerchantRow } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { sentenceRefusal } from "../../kernel/errors.ts";
import { canReceive } from "../rules/transfers.ts";

type Recipient = { merchantId: string; toMerchantId: string };

/**
 * The merchant that will be offered an entry. The answer is the same for an unknown merchant and for one that can't
 * have the entry.
 * @throws DomainError invalid, naming /toMerchantId.
 */
export const requireRecipient = async (sql: Sql, { merchantId, toMerchantId }: Recipient): Promise<MerchantRow> => {
  if (toMerchantId === merchantId) {
    throw sentenceRefusal("/toMerchantId", "This is the ID of your own merchant. Enter the ID of another one.");
  }
  const merchant = await findMerchant(sql, toMerchantId);
  if (merchant === null || !canReceive(merchant)) {
    throw sentenceRefusal("/toMerchantId", "No approved merchant has this ID. Ask the merchant for its ID.");
  }
  return merchant;
};

/** The name of that merchant, so that a member can check the ID before the offer. */
export const findRecipient = async ({ db }: Pick<Deps, "db">, recipient: Recipient): Promise<{ name: string }> => ({
  name: (await requireRecipient(db.sql, recipient)).displayName,
});
