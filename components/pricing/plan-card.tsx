import type { ReactNode } from "react";
import { formatAmount } from "#components/format/money.ts";
import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { toMonthly } from "#server/kernel/billing/interval-months.ts";
import { meterTitle } from "#server/kernel/billing/meter-title.ts";
import { InlineList } from "../format/inline-list.tsx";
import { priceTexts } from "./price-texts.ts";
import styles from "./pricing.module.css";

export const perInterval = { month: "per month", quarter: "per quarter", year: "per year" } as const;

type Props = {
  plan: PublicPlan;
  /** of all listed plans */
  meters: readonly string[];
  reader: { locale: string };
  /** shown next to the name of the plan */
  mark?: ReactNode;
  /** what a person can do with the plan */
  act: ReactNode;
};

/** The meters for which at least one of these plans has a price. */
export const pricedMeters = (plans: readonly PublicPlan[]): string[] => [
  ...new Set(plans.flatMap(({ prices }) => prices.map(({ meter }) => meter))),
];

/** A meter without a price costs nothing (docs/spec/billing.md). */
const textsOf = ({ prices, currency }: PublicPlan, meter: string, locale: string): readonly string[] => {
  const price = prices.find((one) => one.meter === meter);
  return price ? priceTexts(price, currency, locale) : ["Free"];
};

/** One plan of a price list. */
export const PlanCard = ({ plan, meters, reader, mark, act }: Props) => {
  const money = (amount: number) => formatAmount(amount, plan.currency, reader);
  const notes = [
    ...(plan.interval === "month"
      ? []
      : [
          `${money(toMonthly(plan.flat, plan.interval))} per month`,
          `free units and tiers apply ${perInterval[plan.interval]}`,
        ]),
    ...(plan.minimum > 0 ? [`Minimum for fee and usage: ${money(plan.minimum)} ${perInterval[plan.interval]}`] : []),
    ...(plan.maximum === null
      ? []
      : [`Maximum for fee and usage: ${money(plan.maximum)} ${perInterval[plan.interval]}`]),
    ...(plan.trial_days > 0 ? [`${plan.trial_days}-day free trial`] : []),
  ];
  return (
    <li className={`card ${styles.plan}`}>
      <div className={styles.planHead}>
        <h2>{plan.name}</h2>
        {mark}
      </div>
      <p className={styles.flat}>
        <b>{money(plan.flat)}</b> <span className="muted small">{perInterval[plan.interval]}, plus usage</span>
      </p>
      {notes.length === 0 ? null : (
        <p className="small muted">
          <InlineList items={notes} />
        </p>
      )}
      <dl className={styles.prices}>
        {meters.map((meter) => (
          <div key={meter}>
            <dt>{meterTitle(meter)}</dt>
            {textsOf(plan, meter, reader.locale).map((text) => (
              <dd key={text}>{text}</dd>
            ))}
          </div>
        ))}
      </dl>
      {act}
    </li>
  );
};
