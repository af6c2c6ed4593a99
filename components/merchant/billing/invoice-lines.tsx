import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatCount } from "../../format/text.ts";
import { Link } from "../../ui/link.tsx";
import { Table } from "../../ui/table.tsx";
import { formatBilledPeriod } from "./billed-period.ts";
import { formatQuantity, LineAmount } from "./line-amount.tsx";

type Props = { invoice: MerchantInvoice; reader: Reader };

/** The columns of an invoice's lines, for merchants and operators. */
export const invoiceLineColumns = [
  "Line",
  { date: "Period" },
  { figure: "Events" },
  { figure: "Quantity" },
  { figure: "Discount" },
  { figure: "Amount" },
] as const;

/** An SLA credit's description ends with the address of the status page for that month. */
const LineDescription = ({ description }: { description: string }) => {
  const [, text, href] = /^(SLA credit: .*): (https?:\/\/\S+)$/.exec(description) ?? [];
  if (href === undefined) return description;
  return (
    <>
      {text} (<a href={href}>status page</a>)
    </>
  );
};

export const InvoiceLines = ({ invoice, reader }: Props) => (
  <Table caption="Lines" columns={invoiceLineColumns}>
    <tbody>
      {invoice.lines.map((line) => (
        <tr key={line.id}>
          <td>
            <LineDescription description={line.description} />
          </td>
          <td className="muted">{formatBilledPeriod(line, reader)}</td>
          <td>
            {line.eventCount ? (
              <Link href={`/merchant/billing/invoices/${invoice.id}/lines/${line.id}`}>
                {formatCount(line.eventCount)} {line.eventCount === 1 ? "event" : "events"}
              </Link>
            ) : (
              "None"
            )}
          </td>
          <td>{formatQuantity(line.quantity, reader)}</td>
          <td>{formatAmount(line.discountMinor, invoice.currency, reader)}</td>
          <td>
            <LineAmount line={line} currency={invoice.currency} reader={reader} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
