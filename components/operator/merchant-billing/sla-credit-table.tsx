import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { formatUtcMonth } from "../../format/dates.ts";
import { formatPercentage } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { formatUnitPrice } from "../../pricing/price-texts.ts";
import { Link } from "../../ui/link.tsx";
import { Table } from "../../ui/table.tsx";

type Credit = OperatorMerchantBilling["slaCredits"][number];

/** The SLA credits of the newest months. */
export const SlaCreditTable = ({ credits, reader }: { credits: readonly Credit[]; reader: Reader }) => (
  <Table
    caption="SLA credits"
    columns={[{ date: "Month" }, "Component", { figure: "Uptime" }, { short: "Invoice" }, { figure: "Amount" }]}
  >
    <tbody>
      {credits.map((credit) => (
        <tr key={`${credit.month} ${credit.title} ${credit.currency} ${credit.invoiceId}`}>
          <td>{formatUtcMonth(credit.month, reader.locale)}</td>
          <td>{credit.title}</td>
          <td>{formatPercentage(credit.uptime, reader)}</td>
          <td>
            {credit.invoiceId === null ? (
              "Not invoiced yet"
            ) : (
              <Link href={`/operator/invoices/${credit.invoiceId}`}>{credit.number}</Link>
            )}
          </td>
          <td>{formatUnitPrice(credit.exact, credit.currency, reader.locale)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
