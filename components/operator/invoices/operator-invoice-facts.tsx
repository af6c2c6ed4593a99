import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { formatBilledPeriod } from "../../merchant/billing/billed-period.ts";
import { invoiceStatusLabel } from "../../merchant/billing/invoice-labels.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";

type Props = { invoice: OperatorInvoice; reader: Reader };

export const OperatorInvoiceFacts = ({ invoice, reader }: Props) => {
  const { tone, label } = invoiceStatusLabel(invoice);
  const at = (text: string) => formatDateTime(new Date(text), reader);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="Merchant">
        <Link href={`/operator/merchants/${invoice.merchant.id}/billing`}>{invoice.merchant.name}</Link>
      </Fact>
      <Fact name="Period">{formatBilledPeriod(invoice, reader)}</Fact>
      <Fact name="Plan">
        <Link href={`/operator/plans/${invoice.plan.id}`}>{invoice.plan.name}</Link>, version {invoice.plan.version}
      </Fact>
      {invoice.issuedAt ? <Fact name="Issued">{at(invoice.issuedAt)}</Fact> : null}
      {invoice.dueAt && invoice.type === "invoice" ? <Fact name="Payment due">{at(invoice.dueAt)}</Fact> : null}
      {invoice.corrects ? (
        <Fact name="Corrects">
          <Link href={`/operator/invoices/${invoice.corrects}`}>{invoice.corrects}</Link>
        </Fact>
      ) : null}
      {invoice.reason ? <Fact name="Reason">{invoice.reason}</Fact> : null}
      {invoice.decideFrom ? (
        <Fact name="Tax status">
          Unknown, because the merchant’s tax region isn’t known. From {at(invoice.decideFrom)}, an operator can issue
          the invoice without tax.
        </Fact>
      ) : null}
      <Fact name={invoice.type === "invoice" ? "Invoice ID" : "Credit note ID"}>{invoice.id}</Fact>
    </Facts>
  );
};
