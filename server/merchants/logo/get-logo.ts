import { findMerchantLogo, type MerchantLogo } from "../../data/merchants/merchant-logos.ts";
import type { Deps } from "../../deps/deps.ts";
import { logoNotFound } from "./logo-not-found.ts";

/**
 * A logo as everyone sees it: only of a merchant that is approved and not suspended.
 * @throws DomainError not_found, also for the hash of an earlier logo.
 */
export const getLogo = async (
  { db }: Pick<Deps, "db">,
  input: { merchantId: string; hash: string },
): Promise<MerchantLogo> => {
  const logo = await findMerchantLogo(db.sql, input);
  if (!logo?.isPublic) throw logoNotFound();
  return logo;
};
