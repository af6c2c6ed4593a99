import type { MerchantTrend } from "#server/trpc/merchant/payment-views.ts";
import { codeLabel } from "../../format/labels/dispute-labels.ts";
import { formatAmount } from "../../format/money.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { CategoryChart } from "../../ui/chart/category-chart.tsx";
import { TimeChart } from "../../ui/chart/time-chart.tsx";

type Props = { trend: MerchantTrend; days: number; reader: Reader };

/** The net volume per day, compared with the previous period, and the reasons why payments were declined. */
export const PaymentTrend = ({ trend, days, reader }: Props) => (
  <>
    {trend.currencies.map((of) => (
      <TimeChart
        key={of.currency}
        title={`Net volume (${of.currency})`}
        summary={volumeSummary(of, { days, reader })}
        unit={{ kind: "money", currency: of.currency }}
        interval="day"
        series={[{ name: `Last ${days} days` }, { name: `The ${days} days before`, look: "quiet" }]}
        points={of.days.map(({ day, netMinor, previousMinor }) => ({ at: day, values: [netMinor, previousMinor] }))}
        reader={reader}
      />
    ))}
    {trend.declines.length > 0 ? (
      <CategoryChart
        title="Declined payments"
        summary={successSummary(trend, { days, reader })}
        unit={{ kind: "count" }}
        category="Reason"
        measure="Payments"
        items={trend.declines.slice(0, 8).map(({ code, count }) => ({ name: codeLabel(code), value: count }))}
        reader={reader}
      />
    ) : null}
  </>
);

type Period = { days: number; reader: Reader };

const volumeSummary = (
  { netMinor, previousNetMinor, currency }: MerchantTrend["currencies"][number],
  { days, reader }: Period,
): string => {
  const [now, before] = [formatAmount(netMinor, currency, reader), formatAmount(previousNetMinor, currency, reader)];
  return `${now} in the last ${days} days, and ${before} in the ${days} days before.`;
};

const successSummary = ({ successRate, previousSuccessRate }: MerchantTrend, { days, reader }: Period): string => {
  const now =
    successRate === null
      ? "No payments succeeded or failed"
      : `${formatPercent(successRate, reader)} of payments succeeded`;
  const before =
    previousSuccessRate === null
      ? ""
      : `, and ${formatPercent(previousSuccessRate, reader)} succeeded in the ${days} days before`;
  return `${now} in the last ${days} days${before}.`;
};
