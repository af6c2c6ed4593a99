import type { OperatorRevenue } from "#server/trpc/operator/billing/operator-revenue.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatCount } from "../../format/text.ts";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Link } from "../../ui/link.tsx";
import { Table } from "../../ui/table.tsx";
import { invoicesPath } from "../invoices/invoice-tabs.tsx";

/** Amounts due of open invoices, by currency. */
export const OutstandingTable = ({
  outstanding,
  reader,
}: {
  outstanding: OperatorRevenue["outstanding"];
  reader: Reader;
}) => (
  <Table
    caption="Outstanding"
    columns={["Currency", { figure: "Open invoices" }, { figure: "Overdue" }, { figure: "Outstanding" }]}
  >
    <tbody>
      {outstanding.map((row) => (
        <tr key={row.currency}>
          <td>
            <Link href={listAddress(invoicesPath, { status: "open", currency: row.currency })}>{row.currency}</Link>
          </td>
          <td>{formatCount(row.invoices)}</td>
          <td>
            {row.overdueInvoices === 0
              ? "–"
              : `${formatAmount(row.overdueMinor, row.currency, reader)} (${formatCount(row.overdueInvoices)})`}
          </td>
          <td>{formatAmount(row.dueMinor, row.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
