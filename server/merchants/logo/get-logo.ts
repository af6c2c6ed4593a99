import { findMerchantLogo, type MerchantLogo } from "../../data/merchants/merchant-logos.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

/** @throws DomainError not_found, also for the hash of an earlier logo. */
export const getLogo = async (
  { db }: Pick<Deps, "db">,
  input: { merchantId: string; hash: string },
): Promise<MerchantLogo> => {
  const logo = await findMerchantLogo(db.sql, input);
  if (logo) return logo;
  throw new DomainError("not_found", { code: "not_found", message: "Logo not found. It may have been replaced." });
};
