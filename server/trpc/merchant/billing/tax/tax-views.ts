import { formatExact } from "../../../../billing/rules/exact/exact.ts";
import type { findMerchantTax } from "../../../../billing/tax-details/find-merchant-tax.ts";
import type { Deps } from "../../../../deps/deps.ts";

type VatStatus = "none" | "unchecked" | "valid" | "invalid" | "unavailable";

type Tax = Awaited<ReturnType<typeof findMerchantTax>>;

const vatStatusOf = ({ details, check }: Tax): VatStatus => {
  if (details?.vatNumber == null) return "none";
  return check?.result ?? "unchecked";
};

export const toMerchantTax = ({ config }: Pick<Deps, "config">, tax: Tax) => {
  const { details, rate, check } = tax;
  return {
    version: details?.version ?? 0,
    values: details && {
      legalName: details.legalName,
      line1: details.line1,
      line2: details.line2 ?? "",
      postalCode: details.postalCode ?? "",
      city: details.city,
      country: details.country,
      vatNumber: details.vatNumber ?? "",
    },
    region: details?.taxRegion ?? null,
    rate: rate && { category: rate.category, rate: formatExact(rate.rate) },
    vat: {
      status: vatStatusOf(tax),
      checkedAt: check?.checkedAt?.toISOString() ?? null,
      /** VIES will check the number, or has checked it */
      isChecked: config.viesUrl !== null && check !== null,
    },
    isSandbox: config.environment === "sandbox",
  };
};

export type MerchantTaxView = ReturnType<typeof toMerchantTax>;
