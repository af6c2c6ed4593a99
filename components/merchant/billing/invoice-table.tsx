import type { MerchantListedInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";
import { formatBilledPeriod } from "./billed-period.ts";
import { invoiceStatusLabel, invoiceTitle } from "./invoice-labels.ts";

/** Invoices and credit notes, newest first. */
export const InvoiceTable = ({ invoices, reader }: { invoices: readonly MerchantListedInvoice[]; reader: Reader }) => (
  <Table
    caption="Invoices"
    columns={["Number", { date: "Period" }, { short: "Status" }, { figure: "Total" }, { figure: "Amount due" }]}
  >
    <tbody>
      {invoices.map((invoice) => {
        const { tone, label } = invoiceStatusLabel(invoice);
        return (
          <tr key={invoice.id}>
            <td>
              <RowLink href={`/merchant/billing/invoices/${invoice.id}`}>{invoiceTitle(invoice)}</RowLink>
              {invoice.type === "credit_note" ? <CellNote>Credit note</CellNote> : null}
            </td>
            <td className="muted">{formatBilledPeriod(invoice, reader)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>{formatAmount(invoice.totalMinor, invoice.currency, reader)}</td>
            <td>{formatAmount(invoice.amountDueMinor, invoice.currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
