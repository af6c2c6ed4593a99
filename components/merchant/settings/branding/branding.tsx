import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { BrandPreview } from "./brand-preview.tsx";
import look from "./branding.module.css";
import { ColorForm } from "./color-form.tsx";
import { LogoForm } from "./logo-form.tsx";

type Props = { merchantId: string; settings: MerchantSettingsView; mayChange: boolean };

/** Logo and color, with a preview of the consent page. */
export const Branding = ({ merchantId, settings, mayChange }: Props) => (
  <div className={look.columns}>
    <BrandPreview settings={settings} />
    {mayChange ? <LogoForm merchantId={merchantId} settings={settings} /> : null}
    {mayChange ? <ColorForm merchantId={merchantId} settings={settings} /> : null}
  </div>
);
