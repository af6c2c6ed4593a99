import type { OperatorBudgets } from "#server/trpc/operator/operator-budget-views.ts";
import { formatMinutes } from "../format/durations.ts";
import { formatPercentage } from "../format/percent.ts";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import { Pill } from "../ui/pill.tsx";
import { CellNote, Table } from "../ui/table.tsx";

export const BudgetTable = ({ budgets, locale }: { budgets: OperatorBudgets["budgets"]; locale: string }) => (
  <Table
    caption="Error budgets of this month"
    columns={["Component", { figure: "Uptime" }, { figure: "Used" }, { short: "Policy" }, { figure: "Left" }]}
  >
    <tbody>
      {budgets.map((budget) => {
        const used = `${formatMinutes(budget.used_ms, locale)} of ${formatMinutes(budget.allowed_ms, locale)}`;
        return (
          <tr key={budget.id}>
            <td>
              {budget.name}
              <CellNote>Objective {formatPercentage(budget.objective, { locale })}</CellNote>
              <CellNote>{budget.meaning}</CellNote>
            </td>
            <td>{budget.uptime === null ? "No data" : formatPercentage(budget.uptime, { locale })}</td>
            <td>{used}</td>
            <td>
              <Pill tone={budget.used_up ? "bad" : "good"}>
                {budget.policy === "features" ? "Features allowed" : "Reliability first"}
              </Pill>
            </td>
            <td>{formatMinutes(budget.left_ms, locale)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);

const alertRules: Readonly<Record<OperatorBudgets["alerts"][number]["rule"], string>> = {
  page_fast: "Urgent: burn rate of at least 14.4 in both the last hour and the last 5 minutes",
  page_slow: "Urgent: burn rate of at least 6 in both the last 6 hours and the last 30 minutes",
  ticket: "Warning: burn rate of at least 1 in both the last 3 days and the last 6 hours",
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
  <Table caption="Alerts" columns={["Alert", { date: "Began" }, { short: "Status" }]}>
    <tbody>
      {alerts.map(({ id, component, rule, burnRate, startedAt, endedAt }) => (
        <tr key={id}>
          <td>
            {component}
            <CellNote>{alertRules[rule]}</CellNote>
            <CellNote>Burn rate {burnRate}</CellNote>
          </td>
          <td className="muted">
            <Time at={startedAt} now={now} reader={reader} />
          </td>
          <td>
            <Pill tone={endedAt === null ? "bad" : "neutral"}>{endedAt === null ? "Active" : "Ended"}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
