import type { MerchantPreviewedInvoice } from "#server/trpc/merchant/billing/plan-views.ts";
import type { Reader } from "../../../format/reader.ts";
import { Table } from "../../../ui/table.tsx";
import { formatQuantity, LineAmount } from "../line-amount.tsx";
import { SumRows } from "../sum-rows.tsx";

type Props = { invoice: MerchantPreviewedInvoice; caption: string; reader: Reader };

/** An invoice that isn't issued yet: its lines, and the steps from their sum to the amount due. */
export const PreviewedInvoice = ({ invoice, caption, reader }: Props) => (
  <Table caption={caption} columns={["Line", { figure: "Quantity" }, { figure: "Amount" }]}>
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
      <SumRows sums={invoice} reader={reader} />
    </tbody>
  </Table>
);
