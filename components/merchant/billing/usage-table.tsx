import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Table } from "../../ui/table.tsx";
import { formatQuantity, LineAmount } from "./line-amount.tsx";

/** What the period costs so far in one currency. */
export const UsageTable = ({ cost, reader }: { cost: MerchantPlanUsage["costs"][number]; reader: Reader }) => (
  <Table caption={`Costs in ${cost.currency}`} columns={["Line", { figure: "Quantity" }, { figure: "Cost so far" }]}>
    <tbody>
      {cost.lines.map((line) => (
        <tr key={line.id}>
          <td>{line.description}</td>
          <td>{formatQuantity(line.quantity, reader)}</td>
          <td>
            <LineAmount line={line} currency={cost.currency} reader={reader} />
          </td>
        </tr>
      ))}
      <tr>
        <td>
          <strong>Total, with tax</strong>
        </td>
        <td />
        <td>{formatAmount(cost.totalMinor, cost.currency, reader)}</td>
      </tr>
    </tbody>
  </Table>
);
