import type { Metadata } from "next";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { InvoicePayment } from "#components/merchant/billing/collection/invoice-payment.tsx";
import { InvoiceDownloads } from "#components/merchant/billing/documents/downloads.tsx";
import { RelatedInvoices } from "#components/merchant/billing/documents/related-invoices.tsx";
import { InvoiceFacts } from "#components/merchant/billing/invoice-facts.tsx";
import { invoiceTitle } from "#components/merchant/billing/invoice-labels.ts";
import { InvoiceLines } from "#components/merchant/billing/invoice-lines.tsx";
import { InvoiceTotals } from "#components/merchant/billing/invoice-totals.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../../portal-context.ts";
import { merchantPage } from "../../../merchant-context.ts";

type Props = { params: Promise<{ invoiceId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (invoiceId: string) => {
  const page = await merchantPage(`/merchant/billing/invoices/${encodeURIComponent(invoiceId)}`);
  const { api, merchantId } = page;
  const invoice = await orNotFound(api.merchantBilling.invoice({ merchantId, invoiceId }));
  return { ...page, invoice, collection: await api.merchantCollection.ofInvoice({ merchantId, invoiceId }) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { invoice } = await load((await params).invoiceId);
  return { title: pageTitle(invoiceTitle(invoice)) };
};

const InvoicePage = async ({ params }: Props) => {
  const { invoice, collection, merchantId, may, reader } = await load((await params).invoiceId);
  return (
    <>
      <PageHead title={invoiceTitle(invoice)} act={<InvoiceDownloads merchantId={merchantId} invoice={invoice} />}>
        {invoice.type === "invoice" ? "Invoice" : "Credit note"}
      </PageHead>
      {invoice.ublProblem === null ? null : <p className="small muted">{invoice.ublProblem}</p>}
      <InvoiceFacts invoice={invoice} reader={reader} />
      <InvoicePayment
        merchantId={merchantId}
        invoice={invoice}
        collection={collection}
        mayPay={may("billing.change")}
        reader={reader}
      />
      <Section title="Lines">
        <InvoiceLines invoice={invoice} reader={reader} />
      </Section>
      <Section title="Totals">
        <InvoiceTotals invoice={invoice} reader={reader} />
      </Section>
      <RelatedInvoices invoice={invoice} reader={reader} />
    </>
  );
};

export default InvoicePage;
