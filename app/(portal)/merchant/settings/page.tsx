import type { Metadata } from "next";
import { Branding } from "#components/merchant/settings/branding/branding.tsx";
import { BusinessDetailsForm } from "#components/merchant/settings/business-details.tsx";
import { DescriptorForm } from "#components/merchant/settings/descriptor-form.tsx";
import { detailOptions } from "#components/merchant/settings/detail-options.ts";
import { ProcessorSection } from "#components/merchant/settings/processor/processor-section.tsx";
import { SettingFacts } from "#components/merchant/settings/setting-facts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { settingForms } from "#server/merchants/rules/settings.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Settings" };

const SettingsPage = async () => {
  const { api, merchantId, standing, reader, email, may } = await merchantPage("/merchant/settings");
  const [settings, account] = await Promise.all([
    api.settings.read({ merchantId }),
    api.processor.account({ merchantId }),
  ]);
  const { values, fixed } = settings;
  const mayChange = may("settings.change");
  return (
    <>
      <PageHead title="Settings">
        {mayChange ? "Details of your organization, and how payers see it." : readOnly}
      </PageHead>
      <Section title="Business details">
        {mayChange && fixed.length > 0 ? (
          <>
            <p className="muted small">{fixedNote}</p>
            <SettingFacts values={values} names={fixed} />
          </>
        ) : null}
        {mayChange ? (
          <BusinessDetailsForm
            merchantId={merchantId}
            settings={settings}
            options={detailOptions(values.timeZone ?? "UTC")}
          />
        ) : (
          <SettingFacts values={values} names={settingForms.details} />
        )}
      </Section>
      <ProcessorSection
        view={account}
        merchant={{ merchantId, standing }}
        email={email}
        mayConnect={may("processor.connect")}
        reader={reader}
      />
      <Section title="Bank statements">
        {mayChange ? (
          <DescriptorForm merchantId={merchantId} settings={settings} />
        ) : (
          <SettingFacts values={values} names={settingForms.descriptor} />
        )}
      </Section>
      <Section title="Branding">
        <p className="muted small">{brandingNote}</p>
        <Branding merchantId={merchantId} settings={settings} mayChange={mayChange} />
      </Section>
    </>
  );
};

const readOnly = "Owners and admins of the team can change these settings.";
const brandingNote =
  "The consent page shows the logo and the color if the mandate names your merchant. It also shows them if the app belongs to your directory entry and its redirect URI uses one of your verified domains. They are hidden until your merchant is approved, and while it is suspended.";
const fixedNote =
  "Your merchant is approved, so these details can’t be changed here. To change the category, contact Paygrant. To use another legal entity, register a new merchant.";

export default SettingsPage;
