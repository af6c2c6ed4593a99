/**
 * URL of a page of the dashboard, for e-mails and for the processor. Opening it selects the merchant, because a member
 * of several merchants may have selected another one.
 * @param path `/settings`, for example; empty: the overview.
 */
export const merchantPageUrl = (walletUrl: string, merchantId: string, path: string): string =>
  `${walletUrl}/merchant${path}?merchant=${encodeURIComponent(merchantId)}`;
