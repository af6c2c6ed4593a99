import { findTaxDetails, type TaxDetailsRow } from "../../data/billing/tax-details/tax-details.ts";
import { findVatCheck, type VatCheckRow } from "../../data/billing/tax-details/vat-checks.ts";
import type { Deps } from "../../deps/deps.ts";
import { findTaxRate } from "../catalogue/find-tax-rate.ts";

type MerchantTax = {
  /** null: the merchant has entered none */
  details: TaxDetailsRow | null;
  /** the tax of its next invoice; null until the tax region is known */
  rate: Awaited<ReturnType<typeof findTaxRate>>;
  /** null if the merchant has no VAT number that VIES can check */
  check: VatCheckRow | null;
};

export const findMerchantTax = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<MerchantTax> => {
  const details = await findTaxDetails(sql, merchantId);
  const region = details?.taxRegion ?? null;
  const vatNumber = details?.vatNumber ?? null;
  return {
    details,
    rate: region === null ? null : await findTaxRate(sql, region),
    check: vatNumber === null ? null : await findVatCheck(sql, merchantId, vatNumber),
  };
};
