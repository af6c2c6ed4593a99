import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import type { Reader } from "../../../format/reader.ts";
import { Table } from "../../../ui/table.tsx";
import { formatQuantity, LineAmount } from "../line-amount.tsx";
import { SumRows } from "../sum-rows.tsx";
import type { InvoiceSums } from "../sums-of.ts";

type Cost = MerchantPlanUsage["costs"][number];

/** Credits are used when the invoice is issued. */
const withoutCredits = (cost: Cost): InvoiceSums => ({
  ...cost,
  creditAppliedMinor: 0,
  prepaidAppliedMinor: 0,
  amountDueMinor: cost.totalMinor,
});

/** What the period costs so far in one currency. */
export const UsageTable = ({ cost, reader }: { cost: Cost; reader: Reader }) => (
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
      <SumRows sums={withoutCredits(cost)} reader={reader} />
    </tbody>
  </Table>
);
