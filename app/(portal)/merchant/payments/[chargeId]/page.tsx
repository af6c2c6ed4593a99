import type { Metadata } from "next";
import { possiblePaymentActions } from "#components/format/labels/payment-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import { PaymentActs } from "#components/merchant/payments/payment-acts.tsx";
import { PaymentFacts } from "#components/merchant/payments/payment-facts.tsx";
import { PaymentTimeline } from "#components/merchant/payments/payment-timeline.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Payment" };

const PaymentPage = async ({ params }: { params: Promise<{ chargeId: string }> }) => {
  const { chargeId } = await params;
  const { api, reader, businessNow, may } = await merchantPage(`/merchant/payments/${encodeURIComponent(chargeId)}`);
  const payment = await orNotFound(api.payments.payment({ chargeId }));
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
      <PaymentFacts payment={payment} reader={reader} />
      <Section title="Timeline">
        <PaymentTimeline payment={payment} now={businessNow} reader={reader} />
      </Section>
    </>
  );
};

export default PaymentPage;
