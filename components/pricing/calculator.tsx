"use client";

import { useMemo, useState } from "react";
import { formatAmount } from "#components/format/money.ts";
import { Field } from "#components/ui/field/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { toMonthly, toYearly } from "#server/kernel/billing/interval-months.ts";
import { meterTitle } from "#server/kernel/billing/meter-title.ts";
import { EstimateLines } from "./estimate-lines.tsx";
import { perInterval } from "./plan-card.tsx";
import styles from "./pricing.module.css";
import { firstAverage, metersOf, readUsageForm, type TypedUsage } from "./usage-form.ts";
import { type Estimates, useEstimates } from "./use-estimates.ts";

type Reader = { locale: string };

const firstUsage = (currency: string, { locale }: Reader): TypedUsage => ({
  counts: { successful_charges: "1000", tokens_issued: "20000", verifications: "20000", active_mandates: "300" },
  average: firstAverage(currency, locale),
});

/** Compares what the plans cost for a month's usage. */
export const Calculator = ({
  plans,
  currency,
  reader,
}: {
  plans: readonly PublicPlan[];
  currency: string;
  reader: Reader;
}) => {
  const [typed, setTyped] = useState(() => firstUsage(currency, reader));
  const meters = useMemo(() => metersOf(plans), [plans]);
  const read = useMemo(() => readUsageForm(typed, currency, reader.locale), [typed, currency, reader.locale]);
  const problem = "problem" in read ? read.problem : null;
  const estimates = useEstimates(plans, "usage" in read ? read.usage : null);
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  const setCount = (meter: string, text: string) =>
    setTyped(({ counts, average }) => ({ counts: { ...counts, [meter]: text }, average }));
  return (
    <div className={styles.calculator}>
      <form className={styles.usage} aria-label="Monthly usage" onSubmit={(event) => event.preventDefault()}>
        {meters.map((meter) => (
          <Field
            key={meter}
            label={meterTitle(meter)}
            inputMode="numeric"
            value={typed.counts[meter] ?? ""}
            placeholder="0"
            error={errorOf(meter)}
            onChange={(event) => setCount(meter, event.target.value)}
          />
        ))}
        <Field
          label={`Average payment (${currency})`}
          inputMode="decimal"
          value={typed.average}
          error={errorOf("average")}
          onChange={(event) => setTyped(({ counts }) => ({ counts, average: event.target.value }))}
        />
      </form>
      <Results plans={plans} estimates={estimates} reader={reader} />
    </div>
  );
};

const Results = ({
  plans,
  estimates: { by, isFailed },
  reader,
}: {
  plans: readonly PublicPlan[];
  estimates: Estimates;
  reader: Reader;
}) => {
  const yearly = new Map(
    plans.flatMap(({ id, interval }) => {
      const invoice = by.get(id);
      return invoice ? [[id, toYearly(invoice.total, interval)]] : [];
    }),
  );
  const [least, most] = [Math.min(...yearly.values()), Math.max(...yearly.values(), 1)];
  return (
    <section className={styles.results} aria-label="Estimated monthly costs" aria-live="polite">
      {isFailed ? <Notice tone="warn">The estimate couldn’t be computed. Change a number to try again.</Notice> : null}
      {plans.map((plan) => {
        const invoice = by.get(plan.id);
        const cost = yearly.get(plan.id);
        return (
          <details key={plan.id} className={styles.result}>
            <summary>
              <span className={styles.resultName}>
                {plan.name}
                {cost === least ? <span className={styles.least}>Lowest cost</span> : null}
              </span>
              <Cost plan={plan} total={invoice?.total ?? null} reader={reader} />
              <svg className={styles.bar} aria-hidden="true">
                <rect width={`${((cost ?? 0) / most) * 100}%`} height="100%" rx="3" />
              </svg>
            </summary>
            {invoice ? <EstimateLines invoice={invoice} interval={plan.interval} reader={reader} /> : null}
          </details>
        );
      })}
    </section>
  );
};

/** @param total for one interval of the plan; null until the first estimate is loaded. */
const Cost = ({ plan, total, reader }: { plan: PublicPlan; total: number | null; reader: Reader }) => {
  if (total === null) return <b>…</b>;
  const money = (amount: number) => formatAmount(amount, plan.currency, reader);
  return (
    <span className={styles.cost}>
      <span>
        <b className="num">{money(toMonthly(total, plan.interval))}</b> <span className="muted small">per month</span>
      </span>
      {plan.interval === "month" ? null : (
        <span className="muted small">
          {money(total)} {perInterval[plan.interval]}
        </span>
      )}
    </span>
  );
};
