import { logoPreviewAddress } from "../../../merchants/brand.ts";
import type { MerchantSettings } from "../../../merchants/settings/get-settings.ts";

/** Plain JSON for the page. */
export const toSettings = (merchantId: string, { values, fixed, logoHash, versions }: MerchantSettings) => ({
  values,
  fixed,
  logo: logoHash === null ? null : { hash: logoHash, uri: logoPreviewAddress(merchantId, logoHash) },
  versions,
});

export type MerchantSettingsView = ReturnType<typeof toSettings>;
