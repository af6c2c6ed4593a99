import type { Metadata } from "next";
import { cache } from "react";
import { possiblePaymentActions } from "#components/format/labels/payment-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { PaymentActs } from "#components/merchant/payments/payment-acts.tsx";
import { PaymentFacts } from "#components/merchant/payments/payment-facts.tsx";
import { PaymentTimeline } from "#components/merchant/payments/payment-timeline.tsx";
import { PendingPayment } from "#components/merchant/payments/pending-payment.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

type Props = { params: Promise<{ chargeId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (chargeId: string) => {
  const page = await merchantPage(`/merchant/payments/${encodeURIComponent(chargeId)}`);
  return { ...page, payment: await orNotFound(page.api.payments.payment({ chargeId })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { payment, reader } = await load((await params).chargeId);
  return {
    title: pageTitle(
      `Payment ${formatAmount(payment.amountMinor, payment.currency, reader)}, ${payment.reference ?? payment.id}`,
    ),
  };
};

const PaymentPage = async ({ params }: Props) => {
  const { reader, businessNow, may, payment } = await load((await params).chargeId);
  const amount = (minor: number) => ({ minor, text: formatAmount(minor, payment.currency, reader) });
  const { isCapturable, refundableMinor } = possiblePaymentActions(payment);
  const canCapture = isCapturable && may("payment.capture");
  const canRefund = refundableMinor > 0 && may("payment.refund");
  return (
    <>
      <PageHead
        title={amount(payment.amountMinor).text}
        act={
          <PaymentActs
            locale={reader.locale}
            payment={{
              id: payment.id,
              currency: payment.currency,
              capturable: canCapture ? amount(payment.amountMinor) : null,
              refundable: canRefund ? amount(refundableMinor) : null,
            }}
          />
        }
      >
        {payment.reference ?? payment.id}
      </PageHead>
      <PendingPayment payment={payment} />
      <PaymentFacts payment={payment} reader={reader} />
      <Section title="Timeline">
        <PaymentTimeline payment={payment} now={businessNow} reader={reader} />
      </Section>
    </>
  );
};

export default PaymentPage;
