import type { Metadata } from "next";
import { processorInSentence } from "#components/format/labels/processor-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { invoiceTitle } from "#components/merchant/billing/invoice-labels.ts";
import { PaymentReviewActs } from "#components/operator/dunning/payment-review-acts.tsx";
import { InvoiceActs } from "#components/operator/invoices/invoice-acts.tsx";
import { InvoiceHistory } from "#components/operator/invoices/invoice-history.tsx";
import { InvoiceLedger, InvoiceNotes, InvoicePayments } from "#components/operator/invoices/invoice-records.tsx";
import { OperatorInvoiceFacts } from "#components/operator/invoices/operator-invoice-facts.tsx";
import { OperatorInvoiceLines } from "#components/operator/invoices/operator-invoice-lines.tsx";
import { OperatorInvoiceTotals } from "#components/operator/invoices/operator-invoice-totals.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { loadInvoice } from "./load-invoice.ts";

type Props = { params: Promise<{ invoiceId: string }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { invoice } = await loadInvoice((await params).invoiceId, "billing_invoice.read");
  return { title: pageTitle(`${invoiceTitle(invoice)}, ${invoice.merchant.name}`) };
};

const OperatorInvoicePage = async ({ params }: Props) => {
  const {
    invoice,
    reader,
    businessNow: now,
    email,
  } = await loadInvoice((await params).invoiceId, "billing_invoice.read");
  const title = invoiceTitle(invoice);
  const stuck = invoice.payments.find(({ isUnderReview }) => isUnderReview);
  return (
    <>
      <PageHead title={title} act={<InvoiceActs invoice={invoice} title={title} email={email} />}>
        {invoice.type === "invoice" ? "Invoice" : "Credit note"} to {invoice.merchant.name}
      </PageHead>
      {stuck ? (
        <>
          <Notice tone="warn">
            The outcome of the payment {stuck.id} is unknown. Search for it at {processorInSentence(stuck.processor)} by
            this ID, which is its idempotency key. Then settle the payment. No other payment starts until then.
          </Notice>
          <PaymentReviewActs paymentId={stuck.id} email={email} />
        </>
      ) : null}
      <OperatorInvoiceFacts invoice={invoice} reader={reader} />
      <Section title="Lines">
        <OperatorInvoiceLines invoice={invoice} reader={reader} />
      </Section>
      <Section title="Totals">
        <OperatorInvoiceTotals invoice={invoice} reader={reader} />
      </Section>
      {invoice.payments.length > 0 ? (
        <Section title="Payments">
          <InvoicePayments invoice={invoice} now={now} reader={reader} />
        </Section>
      ) : null}
      {invoice.notes.length > 0 ? (
        <Section title="Credit notes">
          <InvoiceNotes invoice={invoice} now={now} reader={reader} />
        </Section>
      ) : null}
      {invoice.transactions.length > 0 ? (
        <Section title="Ledger">
          <InvoiceLedger invoice={invoice} now={now} reader={reader} />
        </Section>
      ) : null}
      {invoice.timeline.length > 0 ? (
        <Section title="History">
          <InvoiceHistory invoice={invoice} now={now} reader={reader} />
        </Section>
      ) : null}
      <div>
        <ButtonLink href="/operator/invoices" size="small">
          All invoices
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorInvoicePage;
