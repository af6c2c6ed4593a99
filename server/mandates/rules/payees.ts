import type { MandateTerms } from "./terms.ts";

type Payees = Pick<MandateTerms, "payeeMerchantIds" | "payeeCategories">;

/** Whether the payees include a merchant, by id or category. Without payees, any registered merchant is allowed. */
export const isPayee = (
  { payeeMerchantIds, payeeCategories }: Payees,
  merchant: { merchantId: string; merchantCategory: string },
): boolean =>
  (payeeMerchantIds.length === 0 && payeeCategories.length === 0) ||
  payeeMerchantIds.includes(merchant.merchantId) ||
  payeeCategories.includes(merchant.merchantCategory);
