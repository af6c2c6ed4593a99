import type { Metadata } from "next";
import { AddInvoiceCard, FinishInvoiceCard } from "#components/merchant/billing/collection/add-invoice-card.tsx";
import { PaymentMethod } from "#components/merchant/billing/collection/payment-method.tsx";
import { SetCard } from "#components/merchant/billing/collection/set-card.tsx";
import { TaxFacts } from "#components/merchant/billing/tax/tax-facts.tsx";
import type { TaxValues } from "#components/merchant/billing/tax/tax-fields.tsx";
import { TaxForm } from "#components/merchant/billing/tax/tax-form.tsx";
import { detailOptions } from "#components/merchant/settings/detail-options.ts";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import type { MerchantPaymentMethod } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Payment and tax" };

const { countries } = detailOptions("UTC");
const nameOf = (country: string): string => countries.find(([code]) => code === country)?.[1] ?? country;

const empty: TaxValues = { legalName: "", line1: "", line2: "", postalCode: "", city: "", country: "", vatNumber: "" };

const DetailsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const setupId = searchId(await searchParams, "card");
  const { api, merchantId, may, reader, email } = await merchantPage("/merchant/billing/details");
  const [method, tax, settings] = await Promise.all([
    api.merchantCollection.method({ merchantId }),
    api.merchantTax.details({ merchantId }),
    api.settings.read({ merchantId }),
  ]);
  const mayChange = may("billing.change");
  const { legalName, country } = settings.values;
  return (
    <>
      <PageHead title="Payment and tax">
        {mayChange
          ? "How your invoices are paid, and which details they show about you."
          : "Owners and admins of the team can change these details."}
      </PageHead>
      {setupId === undefined ? null : <FinishInvoiceCard merchantId={merchantId} setupId={setupId} />}
      <Section
        title="Payment method"
        act={mayChange ? <ChangeCard merchantId={merchantId} method={method} email={email} /> : null}
      >
        <PaymentMethod method={method} />
      </Section>
      <Section title="Tax details">
        <TaxFacts tax={tax} countryName={nameOf(tax.values?.country ?? "")} reader={reader} />
        {mayChange ? (
          <TaxForm
            merchantId={merchantId}
            version={tax.version}
            values={tax.values ?? { ...empty, legalName, country: country ?? "" }}
            countries={countries}
          />
        ) : null}
      </Section>
    </>
  );
};

type ChangeCardProps = { merchantId: string; method: MerchantPaymentMethod; email: string };

const ChangeCard = ({ merchantId, method: { cards, isCardAccepted, label }, email }: ChangeCardProps) => {
  if (isCardAccepted)
    return <AddInvoiceCard merchantId={merchantId} label={label === null ? "Add card" : "Change card"} email={email} />;
  return cards.length > 0 ? (
    <SetCard merchantId={merchantId} cards={cards} isSet={label !== null} email={email} />
  ) : null;
};

export default DetailsPage;
