import type { OperatorFoundInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { invoiceStatusLabel, invoiceTitle } from "../../merchant/billing/invoice-labels.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Invoices and credit notes of all merchants, newest first. */
export const FoundInvoiceTable = ({
  invoices,
  now,
  reader,
}: {
  invoices: readonly OperatorFoundInvoice[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Invoices"
    columns={["Number", "Merchant", { date: "Issued" }, { short: "Status" }, { figure: "Due" }, { figure: "Total" }]}
  >
    <tbody>
      {invoices.map((invoice) => {
        const { tone, label } = invoiceStatusLabel(invoice);
        const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
        return (
          <tr key={invoice.id}>
            <td>
              <RowLink href={`/operator/invoices/${invoice.id}`}>{invoiceTitle(invoice)}</RowLink>
              {invoice.type === "credit_note" ? <CellNote>Credit note</CellNote> : null}
            </td>
            <td>{invoice.merchant.name}</td>
            <td className="muted">
              {invoice.status === "draft" ? "Not yet" : <Time at={invoice.listedAt} now={now} reader={reader} />}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>{invoice.amountDueMinor === 0 ? "–" : amount(invoice.amountDueMinor)}</td>
            <td>{amount(invoice.type === "credit_note" ? -invoice.totalMinor : invoice.totalMinor)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
