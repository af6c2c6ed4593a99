import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill } from "../../ui/pill.tsx";
import { formatBilledPeriod } from "./billed-period.ts";
import { invoiceStatusLabel } from "./invoice-labels.ts";

export const InvoiceFacts = ({ invoice, reader }: { invoice: MerchantInvoice; reader: Reader }) => {
  const { tone, label } = invoiceStatusLabel(invoice);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="Period">{formatBilledPeriod(invoice, reader)}</Fact>
      <Fact name="Plan">
        {invoice.plan.name}, version {invoice.plan.version}
      </Fact>
      {invoice.issuedAt ? <Fact name="Issued">{formatDateTime(new Date(invoice.issuedAt), reader)}</Fact> : null}
      {invoice.type === "invoice" && invoice.dueAt ? (
        <Fact name="Payment due">{formatDateTime(new Date(invoice.dueAt), reader)}</Fact>
      ) : null}
      <Fact name={invoice.type === "invoice" ? "Invoice ID" : "Credit note ID"}>{invoice.id}</Fact>
    </Facts>
  );
};
