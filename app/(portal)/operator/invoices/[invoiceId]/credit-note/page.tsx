import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import { invoiceTitle } from "#components/merchant/billing/invoice-labels.ts";
import { CreditNoteForm } from "#components/operator/invoices/credit-note-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { loadInvoice } from "../load-invoice.ts";

type Props = { params: Promise<{ invoiceId: string }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { invoice } = await loadInvoice((await params).invoiceId, "billing_invoice.credit");
  return { title: pageTitle(`Credit note for ${invoiceTitle(invoice)}`) };
};

const CreditNotePage = async ({ params }: Props) => {
  const { invoice, reader, email } = await loadInvoice((await params).invoiceId, "billing_invoice.credit");
  const isCreditable = invoice.type === "invoice" && (invoice.status === "open" || invoice.status === "paid");
  if (!isCreditable) notFound();
  return (
    <>
      <PageHead title={`Credit note for ${invoiceTitle(invoice)}`}>
        A credit note first reduces the invoice’s amount due. The rest is returned to the prepaid and promotional
        credits that the invoice used. If an amount still remains, it is added to the credit balance of{" "}
        {invoice.merchant.name}. A credit note can’t be changed later.
      </PageHead>
      <CreditNoteForm invoice={invoice} email={email} reader={reader} />
    </>
  );
};

export default CreditNotePage;
