"use client";

import { useMemo, useState } from "react";
import { formatAmount } from "#components/format/money.ts";
import { Field } from "#components/ui/field/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { meterTitle } from "#server/kernel/billing/meter-title.ts";
import { EstimateLines } from "./estimate-lines.tsx";
import styles from "./pricing.module.css";
import { metersOf, readUsageForm, type TypedUsage } from "./usage-form.ts";
import { type Estimates, useEstimates } from "./use-estimates.ts";

type Reader = { locale: string };

const firstUsage: TypedUsage = {
  counts: { successful_charges: "1000", tokens_issued: "20000", verifications: "20000", active_mandates: "300" },
  average: "25.00",
};

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
  const [typed, setTyped] = useState(firstUsage);
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
          label={`Average charge (${currency})`}
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
  const totals = [...by.values()].map(({ total }) => total);
  const [least, most] = [Math.min(...totals), Math.max(...totals, 1)];
  return (
    <section className={styles.results} aria-label="Estimated monthly costs" aria-live="polite">
      {isFailed ? <Notice tone="warn">The estimate couldn’t be computed. Change a number to try again.</Notice> : null}
      {plans.map((plan) => {
        const invoice = by.get(plan.id);
        return (
          <details key={plan.id} className={styles.result}>
            <summary>
              <span className={styles.resultName}>
                {plan.name}
                {invoice && invoice.total === least ? <span className={styles.least}>Lowest cost</span> : null}
              </span>
              <b className="num">{invoice ? formatAmount(invoice.total, invoice.currency, reader) : "…"}</b>
              <svg className={styles.bar} aria-hidden="true">
                <rect width={`${invoice ? (invoice.total / most) * 100 : 0}%`} height="100%" rx="3" />
              </svg>
            </summary>
            {invoice ? <EstimateLines invoice={invoice} reader={reader} /> : null}
          </details>
        );
      })}
    </section>
  );
};
