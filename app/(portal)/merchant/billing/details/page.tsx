import type { Metadata } from "next";
import { PaymentMethod } from "#components/merchant/billing/collection/payment-method.tsx";
import { SetCard } from "#components/merchant/billing/collection/set-card.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Payment and tax" };

const DetailsPage = async () => {
  const { api, merchantId, may } = await merchantPage("/merchant/billing/details");
  const method = await api.merchantCollection.method({ merchantId });
  const mayChange = may("billing.change");
  return (
    <>
      <PageHead title="Payment and tax">How your invoices are paid.</PageHead>
      <Section title="Payment method">
        <PaymentMethod method={method} />
        {mayChange && method.cards.length > 0 ? <SetCard merchantId={merchantId} cards={method.cards} /> : null}
        {mayChange ? null : <p className="small muted">Owners and admins can change the payment method.</p>}
      </Section>
    </>
  );
};

export default DetailsPage;
