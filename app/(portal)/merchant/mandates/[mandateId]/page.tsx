import type { Metadata } from "next";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { MerchantMandateFacts } from "#components/merchant/mandates/mandate-facts.tsx";
import { paymentsAddress } from "#components/merchant/payments/payment-filter.tsx";
import { PaymentTable } from "#components/merchant/payments/payment-table.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import styles from "#components/portal/portal.module.css";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { LimitMeter } from "#components/wallet/mandates/limit-meter.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

type Params = { params: Promise<{ mandateId: string }> };

const loadMandate = cache(async (mandateId: string) => {
  const page = await merchantPage(`/merchant/mandates/${encodeURIComponent(mandateId)}`);
  const mandate = await orNotFound(page.api.merchantMandates.mandate({ merchantId: page.merchantId, mandateId }));
  return { ...page, mandate };
});

export const generateMetadata = async ({ params }: Params): Promise<Metadata> => {
  const { mandate } = await loadMandate((await params).mandateId);
  return { title: pageTitle(`Mandate ${mandate.id}, ${mandate.client.name}`) };
};

const MandatePage = async ({ params }: Params) => {
  const { mandate, reader, businessNow } = await loadMandate((await params).mandateId);
  const { limits, payments } = mandate;
  return (
    <>
      <PageHead title={`Mandate for ${mandate.client.name}`}>
        A payer’s permission. The payer’s identity and other merchants’ payments are private.
      </PageHead>
      <MerchantMandateFacts mandate={mandate} reader={reader} />
      <Section title="Limits">
        {limits === null ? (
          <p className="muted small">
            The payer doesn’t share the limits. To check whether an amount is allowed, verify the mandate.
          </p>
        ) : (
          <div className={`card ${styles.form} ${styles.box}`}>
            {limits.map((limit) => (
              <LimitMeter
                key={limit.key}
                limit={limit}
                currency={mandate.currency}
                now={businessNow}
                reader={reader}
                isEnded={mandate.endedAt !== null}
              />
            ))}
          </div>
        )}
      </Section>
      <Section
        title="Your payments"
        act={
          payments.length > 0 ? (
            <Link href={paymentsAddress({ mandate: mandate.id })}>All payments of this mandate</Link>
          ) : null
        }
      >
        {payments.length > 0 ? (
          <PaymentTable payments={payments} now={businessNow} reader={reader} />
        ) : (
          <EmptyState title="No payments yet">Your apps haven’t charged this mandate.</EmptyState>
        )}
        {mandate.hasMorePayments ? <p className="muted small">Only the newest 20 payments are shown.</p> : null}
      </Section>
    </>
  );
};

export default MandatePage;
