import type { MerchantPreviewedInvoice } from "#server/trpc/merchant/billing/plan-views.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Table } from "../../../ui/table.tsx";
import { formatQuantity, LineAmount } from "../line-amount.tsx";
import { type InvoiceSums, sumsOf } from "../sums-of.ts";

type Props = {
  invoice: InvoiceSums & Pick<MerchantPreviewedInvoice, "lines">;
  caption: string;
  /** the name of the column of amounts */
  amount?: string;
  reader: Reader;
};

/** An invoice that isn't issued yet: its lines, and the steps from their sum to the amount due. */
export const PreviewedInvoice = ({ invoice, caption, amount = "Amount", reader }: Props) => (
  <Table caption={caption} columns={["Line", { figure: "Quantity" }, { figure: amount }]}>
    <tbody>
      {invoice.lines.map((line) => (
        <tr key={line.id}>
          <td>{line.description}</td>
          <td>{formatQuantity(line.quantity, reader)}</td>
          <td>
            <LineAmount line={line} currency={invoice.currency} reader={reader} />
          </td>
        </tr>
      ))}
      {sumRows(invoice, reader)}
    </tbody>
  </Table>
);

const sumRows = (invoice: InvoiceSums, reader: Reader) =>
  sumsOf(invoice, reader).map(({ name, amountMinor, isResult }) => (
    <tr key={name}>
      <td>{isResult ? <strong>{name}</strong> : <span className="muted">{name}</span>}</td>
      <td />
      <td>
        {isResult ? (
          <strong>{formatAmount(amountMinor, invoice.currency, reader)}</strong>
        ) : (
          formatAmount(amountMinor, invoice.currency, reader)
        )}
      </td>
    </tr>
  ));
