import type { MerchantSettings } from "../../../merchants/settings/get-settings.ts";

/** Plain JSON for the page. */
export const toSettings = ({ values, fixed, versions }: MerchantSettings) => ({ values, fixed, versions });

export type MerchantSettingsView = ReturnType<typeof toSettings>;
