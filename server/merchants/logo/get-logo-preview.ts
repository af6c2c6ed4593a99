import { findMerchantLogo, type MerchantLogo } from "../../data/merchants/merchant-logos.ts";
import type { Deps } from "../../deps/deps.ts";
import { logoNotFound } from "./logo-not-found.ts";

/**
 * A logo of a merchant in any state, for its members and for operators.
 * @throws DomainError not_found, also for the hash of an earlier logo.
 */
export const getLogoPreview = async (
  { db }: Pick<Deps, "db">,
  input: { merchantId: string; hash: string },
): Promise<MerchantLogo> => {
  const logo = await findMerchantLogo(db.sql, input);
  if (!logo) throw logoNotFound();
  return logo;
};
