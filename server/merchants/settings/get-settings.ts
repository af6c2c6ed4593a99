import { findMerchantLogoHash } from "../../data/merchants/merchant-logos.ts";
import { findMerchantSettings, type MerchantSettingsRow } from "../../data/merchants/merchant-settings.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantNotFound } from "../merchant-not-found.ts";
import { fixedSettings, type SettingForm, type SettingName, settingForms } from "../rules/settings.ts";
import { settingsVersion } from "./settings-version.ts";

export type MerchantSettings = {
  values: MerchantSettingsRow;
  /** settings that members can't change */
  fixed: SettingName[];
  logoHash: string | null;
  versions: Readonly<Record<SettingForm, string>>;
};

/** @throws DomainError not_found. */
export const getSettings = async (
  { db }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<MerchantSettings> => {
  const [values, logoHash] = await Promise.all([
    findMerchantSettings(db.sql, merchantId),
    findMerchantLogoHash(db.sql, merchantId),
  ]);
  if (!values) throw merchantNotFound();
  const forms = Object.keys(settingForms) as SettingForm[];
  const versions = forms.map((form) => [form, settingsVersion(values, form)]);
  return { values, fixed: fixedSettings(values), logoHash, versions: Object.fromEntries(versions) };
};
