import type { MandateTerms } from "./terms.ts";

type Payees = Pick<MandateTerms, "payeeMerchantIds" | "payeeCategories">;

/** By id or category; without payees, any registered merchant is allowed. */
export const isPayee = (
  { payeeMerchantIds, payeeCategories }: Payees,
  merchant: { merchantId: string; merchantCategory: string },
): boolean =>
  (payeeMerchantIds.length === 0 && payeeCategories.length === 0) ||
  payeeMerchantIds.includes(merchant.merchantId) ||
  payeeCategories.includes(merchant.merchantCategory);
