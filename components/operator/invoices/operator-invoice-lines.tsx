import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatBilledPeriod } from "../../merchant/billing/billed-period.ts";
import { invoiceLineColumns } from "../../merchant/billing/invoice-lines.tsx";
import { formatQuantity, LineAmount } from "../../merchant/billing/line-amount.tsx";
import { Link } from "../../ui/link.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

export const OperatorInvoiceLines = ({ invoice, reader }: { invoice: OperatorInvoice; reader: Reader }) => (
  <Table caption="Lines" columns={invoiceLineColumns}>
    <tbody>
      {invoice.lines.map((line) => (
        <tr key={line.id}>
          <td>
            {line.description}
            {line.creditedMinor === 0 ? null : (
              <CellNote>Credited: {formatAmount(line.creditedMinor, invoice.currency, reader)}</CellNote>
            )}
          </td>
          <td className="muted">{formatBilledPeriod(line, reader)}</td>
          <td>
            {line.eventCount ? (
              <Link href={`/operator/invoices/${invoice.id}/lines/${line.id}`}>
                {formatQuantity(String(line.eventCount), reader)}
              </Link>
            ) : (
              "–"
            )}
          </td>
          <td>{formatQuantity(line.quantity, reader)}</td>
          <td>{line.discountMinor === 0 ? "–" : formatAmount(line.discountMinor, invoice.currency, reader)}</td>
          <td>
            <LineAmount line={line} currency={invoice.currency} reader={reader} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
