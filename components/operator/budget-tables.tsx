import type { OperatorBudgets } from "#server/trpc/operator/operator-budget-views.ts";
import { moment, type Reader } from "../format/values.ts";
import styles from "../portal/portal.module.css";
import { Pill } from "../ui/pill.tsx";
import { Table, Under } from "../ui/table.tsx";

const minute = 60_000;

/** `43.2 min`; what is left is never rounded up. */
const minutes = (milliseconds: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1, roundingMode: "floor" }).format(milliseconds / minute)} min`;

export const BudgetTable = ({ budgets, locale }: { budgets: OperatorBudgets["budgets"]; locale: string }) => (
  <Table
    caption="Error budgets of this month"
    columns={["Component", { wide: "This month" }, { wide: "Used of allowed" }, { wide: "Policy" }, "Left"]}
  >
    <tbody>
      {budgets.map((budget) => {
        const used = `${minutes(budget.used_ms, locale)} of ${minutes(budget.allowed_ms, locale)}`;
        return (
          <tr key={budget.id}>
            <td>
              {budget.name}
              <Under>Objective {budget.objective} %</Under>
              <Under>{budget.meaning}</Under>
            </td>
            <td className={`num ${styles.whole}`} data-wide>
              {budget.uptime === null ? "No data" : `${budget.uptime} %`}
            </td>
            <td className={`num ${styles.whole}`} data-wide>
              {used}
            </td>
            <td data-wide>
              <Pill tone={budget.used_up ? "bad" : "good"}>
                {budget.policy === "features" ? "Features" : "Reliability first"}
              </Pill>
            </td>
            <td>{minutes(budget.left_ms, locale)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);

const rules: Readonly<Record<OperatorBudgets["alerts"][number]["rule"], string>> = {
  page_fast: "Page: burn rate of 14.4 or more over an hour and over 5 minutes",
  page_slow: "Page: burn rate of 6 or more over 6 hours and over 30 minutes",
  ticket: "Ticket: burn rate of 1 or more over 3 days and over 6 hours",
};

export const AlertTable = ({
  alerts,
  now,
  reader,
}: {
  alerts: OperatorBudgets["alerts"];
  now: Date;
  reader: Reader;
}) => (
  <Table caption="Alerts" columns={["Alert", { wide: "Began" }, "State"]}>
    <tbody>
      {alerts.map(({ id, component, rule, burnRate, startedAt, endedAt }) => (
        <tr key={id}>
          <td>
            {component}
            <Under>{rules[rule]}</Under>
            <Under>Burn rate {burnRate}</Under>
          </td>
          <td className={`muted ${styles.whole}`} data-wide>
            {moment(new Date(startedAt), now, reader)}
          </td>
          <td>
            <Pill tone={endedAt === null ? "bad" : "neutral"}>{endedAt === null ? "Goes on" : "Over"}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
