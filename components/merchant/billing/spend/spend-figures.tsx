import { Fragment } from "react";
import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Figure, Figures } from "../../../portal/figures.tsx";

type Props = { costs: MerchantPlanUsage["costs"]; reader: Reader };

/** Shows for each currency the cost of the period so far, and the forecast of the cost at the period's end. */
export const SpendFigures = ({ costs, reader }: Props) => (
  <Figures>
    {costs.map(({ currency, spentMinor, earlierMinor, forecastMinor }) => (
      <Fragment key={currency}>
        <Figure name={`So far (${currency})`} value={formatAmount(spentMinor, currency, reader)}>
          {earlierMinor === 0
            ? "Includes tax. Credits aren’t subtracted."
            : `Includes tax. Credits aren’t subtracted. ${formatAmount(earlierMinor, currency, reader)} of this amount is for the time before the plan changed, and has its own invoice.`}
        </Figure>
        <Figure
          name={`Linear forecast (${currency})`}
          value={forecastMinor === null ? "–" : formatAmount(forecastMinor, currency, reader)}
        >
          {forecastMinor === null
            ? "Available after the first 24 hours of the billed period."
            : "At the end of the period, if the usage continues at the same rate per day."}
        </Figure>
      </Fragment>
    ))}
  </Figures>
);
