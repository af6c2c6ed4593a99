import { merchantCategoryName } from "#server/kernel/money/mcc-names.ts";
import type { SettingName } from "#server/merchants/rules/settings.ts";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import type { DetailValues } from "./detail-fields.tsx";

export const settingLabels: Readonly<Record<SettingName, string>> = {
  legalName: "Legal name",
  displayName: "Display name",
  country: "Country",
  websiteUri: "Website",
  mcc: "Category",
  currency: "Currency",
  timeZone: "Time zone",
  statementDescriptor: "Statement descriptor",
  accentColor: "Color",
};

export const categoryText = (code: string): string => `${code} ${merchantCategoryName(code) ?? ""}`.trim();

/** The values as texts of the form's fields. */
export const detailTexts = (values: MerchantSettingsView["values"]): DetailValues => ({
  legalName: values.legalName,
  displayName: values.displayName,
  country: values.country ?? "",
  websiteUri: values.websiteUri ?? "",
  mcc: categoryText(values.mcc),
  currency: values.currency ?? "",
  timeZone: values.timeZone ?? "",
});
