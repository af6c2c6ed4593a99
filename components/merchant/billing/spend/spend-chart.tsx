import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { RangePicker } from "../../../portal/lists/range-picker.tsx";
import { TimeChart } from "../../../ui/chart/time-chart.tsx";

const spendRanges = [6, 12, 24] as const;
type SpendRange = (typeof spendRanges)[number];

export const readSpendRange = (text: unknown): SpendRange =>
  spendRanges.find((months) => String(months) === text) ?? 12;

/** The links to each range of the chart. */
export const SpendRangePicker = ({ current }: { current: SpendRange }) => (
  <RangePicker
    label="Range"
    ranges={spendRanges.map((months) => ({
      name: `${months} months`,
      href: `/merchant/billing?months=${months}`,
      isCurrent: months === current,
    }))}
  />
);

const looks = ["accent", "note", "warn", "bad", "quiet"] as const;

type Props = { spend: MerchantPlanUsage["history"][number]; months: SpendRange; reader: Reader };

/** Spend by meter in each month, with the current period so far. */
export const SpendChart = ({ spend, months, reader }: Props) => {
  const { currency, totalMinor, series } = spend;
  const total = formatAmount(totalMinor, currency, reader);
  return (
    <TimeChart
      title={`Spend by meter (${currency})`}
      summary={`${total} over ${months} months, after discounts, and before tax unless your prices include tax. The current period is included up to now.`}
      unit={{ kind: "money", currency }}
      interval="month"
      isStacked
      series={series.map((name, index) => ({ name, look: looks[index] ?? "quiet" }))}
      points={spend.months.map(({ month, amountsMinor }) => ({ at: month, values: amountsMinor }))}
      reader={reader}
    />
  );
};
