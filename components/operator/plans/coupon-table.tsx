import type { OperatorCatalogue } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { formatAmount } from "../../format/money.ts";
import { formatPercentage } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { formatCount } from "../../format/text.ts";
import { Table } from "../../ui/table.tsx";

type Coupon = OperatorCatalogue["coupons"][number];
type Props = { coupons: readonly Coupon[]; reader: Pick<Reader, "locale"> };

const durationOf = (months: number | null): string => {
  if (months === null) return "Without end";
  return months === 1 ? "1 month" : `${formatCount(months)} months`;
};

export const CouponTable = ({ coupons, reader }: Props) => (
  <Table
    caption="Coupons"
    columns={["Code", "Plans", "Meters", { short: "Duration" }, { figure: "Version" }, { figure: "Discount" }]}
  >
    <tbody>
      {coupons.map(({ code, version, percent, amount, plans, meters, months }) => (
        <tr key={code}>
          <td className="mono">{code}</td>
          <td>{plans?.join(", ") ?? "All"}</td>
          <td>{meters?.join(", ") ?? "All"}</td>
          <td>{durationOf(months)}</td>
          <td>{version}</td>
          <td>
            {amount === null
              ? formatPercentage(percent ?? "0", reader)
              : formatAmount(amount.amount, amount.currency, reader)}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
