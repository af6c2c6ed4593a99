import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Section } from "../../../portal/page-head.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { RowLink, Table } from "../../../ui/table.tsx";
import { invoiceStatusLabel } from "../invoice-labels.ts";

/** The credit notes of an invoice, or the invoice of a credit note. */
export const RelatedInvoices = ({ invoice, reader }: { invoice: MerchantInvoice; reader: Reader }) => {
  if (invoice.related.length === 0) return null;
  const type = invoice.type === "invoice" ? "credit_note" : "invoice";
  const title = type === "credit_note" ? "Credit notes" : "Original invoice";
  return (
    <Section title={title}>
      <Table caption={title} columns={["Number", { date: "Issued" }, { short: "Status" }, { figure: "Total" }]}>
        <tbody>
          {invoice.related.map(({ id, number, issuedAt, status, totalMinor }) => {
            const { tone, label } = invoiceStatusLabel({ status, type });
            return (
              <tr key={id}>
                <td>
                  <RowLink href={`/merchant/billing/invoices/${id}`}>{number ?? id}</RowLink>
                </td>
                <td className="muted">{issuedAt ? formatDateTime(new Date(issuedAt), reader) : "Not issued"}</td>
                <td>
                  <Pill tone={tone}>{label}</Pill>
                </td>
                <td>{formatAmount(totalMinor, invoice.currency, reader)}</td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Section>
  );
};
