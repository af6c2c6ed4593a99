import type { OperatorRevenue } from "#server/trpc/operator/billing/operator-revenue.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { CategoryChart } from "../../ui/chart/category-chart.tsx";
import { TimeChart } from "../../ui/chart/time-chart.tsx";
import { meterName } from "./meter-name.ts";

type Props = { revenue: OperatorRevenue; currency: string; reader: Reader };

/** Groups the rows by key. @returns the sum of each group, largest first. */
const sumBy = (rows: OperatorRevenue["rows"], keyOf: (row: OperatorRevenue["rows"][number]) => string) =>
  [...Map.groupBy(rows, keyOf)]
    .map(([name, group]) => ({ name, value: group.reduce((sum, { netMinor }) => sum + netMinor, 0) }))
    .toSorted((one, other) => other.value - one.value);

/** What was invoiced in one currency: by month, by plan and by item, each with its table. */
export const RevenueCharts = ({ revenue, currency, reader }: Props) => {
  const rows = revenue.rows.filter((row) => row.currency === currency);
  const byMonth = new Map(sumBy(rows, ({ month }) => month).map(({ name, value }) => [name, value]));
  const points = revenue.months.map((at) => ({ at, values: [byMonth.get(at) ?? 0] }));
  const total = rows.reduce((sum, { netMinor }) => sum + netMinor, 0);
  const unit = { kind: "money", currency } as const;
  const inPeriod = `in the last ${revenue.months.length} months`;
  const largest = ([first]: readonly { name: string; value: number }[]) =>
    first
      ? `Largest ${inPeriod}: ${first.name}, ${formatAmount(first.value, currency, reader)}.`
      : `Nothing was invoiced ${inPeriod}.`;
  const names = new Map(rows.map(({ planId, planName }) => [planId, planName]));
  const plans = sumBy(rows, ({ planId }) => planId).map(({ name: planId, value }) => ({
    name: names.get(planId) ?? planId,
    value,
    href: `/operator/plans/${planId}`,
  }));
  const items = sumBy(rows, ({ item }) => sentenceCase(meterName(item)));
  return (
    <>
      <TimeChart
        title="Invoiced by month"
        summary={`${formatAmount(total, currency, reader)} without tax ${inPeriod}.`}
        unit={unit}
        interval="month"
        series={[{ name: "Invoiced, without tax" }]}
        points={points}
        reader={reader}
        texts={{ period: "Month", noData: "Nothing was invoiced in this currency." }}
      />
      <CategoryChart
        title="By plan"
        summary={largest(plans)}
        unit={unit}
        category="Plan"
        measure="Invoiced"
        items={plans}
        reader={reader}
      />
      <CategoryChart
        title="By fee and meter"
        summary={largest(items)}
        unit={unit}
        category="Fee or meter"
        measure="Invoiced"
        items={items}
        look="note"
        reader={reader}
      />
    </>
  );
};
