import { setPreferenceCookie } from "../layout/preference-cookie.ts";

/** Selects the merchant that the dashboard's next pages show. The server checks the membership at each request. */
export const selectMerchant = (merchantId: string): void => setPreferenceCookie("merchant", merchantId, "/merchant");
