import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { PartyLogo } from "../../../ui/party-logo.tsx";
import look from "./branding.module.css";

/** Shows how payers see the merchant at consent. */
export const BrandPreview = ({ settings: { values, logo } }: { settings: MerchantSettingsView }) => {
  const { displayName: name, accentColor } = values;
  const brand = { logoUri: logo?.uri ?? null, accentColor };
  return (
    <figure className={`card ${look.preview}`} {...(accentColor ? { style: { borderTopColor: accentColor } } : {})}>
      <figcaption className="tiny">On the consent page</figcaption>
      <div className={look.party}>
        <PartyLogo name={name} size="large" brand={brand} alt={logo ? `Logo of ${name}` : ""} />
        <b>{name}</b>
      </div>
    </figure>
  );
};
