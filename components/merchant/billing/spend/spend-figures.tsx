import { Fragment } from "react";
import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import styles from "./spend.module.css";

type Props = { costs: MerchantPlanUsage["costs"]; reader: Reader };

/** Shows for each currency the cost of the period so far, and the forecast of the cost at the period's end. */
export const SpendFigures = ({ costs, reader }: Props) => (
  <dl className={`card ${styles.figures}`}>
    {costs.map(({ currency, spentMinor, earlierMinor, forecastMinor }) => (
      <Fragment key={currency}>
        <div>
          <dt>So far ({currency})</dt>
          <dd>
            {formatAmount(spentMinor, currency, reader)}
            <span>
              {earlierMinor === 0
                ? "Includes tax. Credits aren’t subtracted."
                : `Includes tax. Credits aren’t subtracted. ${formatAmount(earlierMinor, currency, reader)} of this amount was invoiced when the plan changed.`}
            </span>
          </dd>
        </div>
        <div>
          <dt>Linear forecast ({currency})</dt>
          <dd>
            {forecastMinor === null ? "–" : formatAmount(forecastMinor, currency, reader)}
            <span>
              {forecastMinor === null
                ? "Available after the first 24 hours of the billed period."
                : "At the end of the period, if the usage continues at the same rate per day."}
            </span>
          </dd>
        </div>
      </Fragment>
    ))}
  </dl>
);
