import type { Metadata } from "next";
import { formatPublicDateTime } from "#components/format/public-dates.ts";
import { ErrorBudgetTable } from "#components/status/uptime/error-budget-table.tsx";
import { FrozenDays } from "#components/status/uptime/frozen-days.tsx";
import { LatencyTable } from "#components/status/uptime/latency-table.tsx";
import { MonthTable } from "#components/status/uptime/month-table.tsx";
import { deployedOrAll, summarizeComponents } from "#server/status/overview/summarize-components.ts";
import { summarizeLatency } from "#server/status/rules/uptime/latency.ts";
import { uptimeRules } from "#server/status/rules/uptime/uptime.ts";
import { computeRawUptime, computeUptime } from "#server/status/uptime/compute-uptime.ts";
import { statusPage } from "../status-context.ts";
import { budgetView } from "../views.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "Uptime" };

const UptimePage = async () => {
  const { board, now } = await statusPage();
  const summaries = computeUptime(board, now);
  return (
    <>
      <div>
        <h1>Uptime</h1>
        <p className="small muted">
          Uptime is calculated per UTC calendar month. See <a href="#formula">the formula</a>. As of{" "}
          {formatPublicDateTime(now, now)}.
        </p>
      </div>
      {summaries.map(({ key, name, objective, isDeployed, months }) => (
        <section key={key} className={styles.component} aria-labelledby={key}>
          <div>
            <h2 id={key}>{name}</h2>
            {isDeployed ? (
              <p className="small muted">
                {objective === null ? "Best effort" : `Objective ${objective / 100}%`} ·{" "}
                <a href={`/status/components/${key}/intervals.csv`}>State intervals of {name} (CSV)</a>
              </p>
            ) : (
              <p className="small muted">This component isn’t deployed, so it has no uptime.</p>
            )}
          </div>
          {isDeployed ? (
            <MonthTable
              id={key}
              name={name}
              months={months.map(({ span, sums, ...percents }) => ({
                from: new Date(span.from),
                ...percents,
                ...sums,
              }))}
            />
          ) : null}
          <FrozenDays
            days={computeRawUptime(board, now, key).days.flatMap(({ frozen, isAmended }) =>
              frozen ? [{ day: frozen.day, hash: frozen.hash, isAmended }] : [],
            )}
          />
        </section>
      ))}
      <ErrorBudgetTable budgets={deployedOrAll(summarizeComponents(board, now)).flatMap(budgetView)} now={now} />
      <LatencyTable latency={summarizeLatency(board)} since={board.latency.since} />
      <section className={`card ${styles.formula}`} aria-labelledby="formula">
        <h2 id="formula">The formula</h2>
        <ul>
          {uptimeRules.map((rule) => (
            <li key={rule} className="small">
              {rule}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
};

export default UptimePage;
