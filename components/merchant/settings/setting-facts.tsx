import type { ReactNode } from "react";
import type { SettingName } from "#server/merchants/rules/settings.ts";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { categoryText, settingLabels } from "./setting-texts.ts";

type Props = { values: MerchantSettingsView["values"]; names: readonly SettingName[] };

const countryNames = new Intl.DisplayNames("en", { type: "region" });
const currencyNames = new Intl.DisplayNames("en", { type: "currency" });

/** Settings that the reader can't change. */
export const SettingFacts = ({ values, names }: Props) => (
  <Facts>
    {names.map((name) => (
      <Fact key={name} name={settingLabels[name]}>
        {values[name] === null ? "Not set" : shown(name, values[name])}
      </Fact>
    ))}
  </Facts>
);

const shown = (name: SettingName, value: string): ReactNode => {
  switch (name) {
    case "country":
      return countryNames.of(value);
    case "currency":
      return `${value} · ${currencyNames.of(value)}`;
    case "mcc":
      return categoryText(value);
    case "timeZone":
      return value.replaceAll("_", " ");
    case "websiteUri":
      return (
        <a href={value} rel="noreferrer nofollow">
          {value}
        </a>
      );
    default:
      return value;
  }
};
