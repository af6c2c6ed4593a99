import type { OperatorCatalogue } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { formatShortUtcDate } from "../../format/dates.ts";
import { formatCount } from "../../format/text.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellId, CellNote, RowLink, Table } from "../../ui/table.tsx";
import { planIntervals, planStates } from "../labels/plan-labels.ts";

type Props = { plans: OperatorCatalogue["plans"]; locale: string };

export const PlanTable = ({ plans, locale }: Props) => (
  <Table
    caption="Plans"
    columns={[
      "Plan",
      { short: "Interval" },
      "Currencies",
      { short: "Newest version" },
      { figure: "Subscriptions" },
      { short: "Status" },
    ]}
  >
    <tbody>
      {plans.map((plan) => {
        const { tone, label } = planStates[plan.state];
        return (
          <tr key={plan.id}>
            <td>
              <RowLink href={`/operator/plans/${plan.id}`}>{plan.name}</RowLink>
              <CellId>{plan.id}</CellId>
            </td>
            <td>{planIntervals[plan.interval]}</td>
            <td>{plan.currencies.join(", ")}</td>
            <td>
              {plan.version}, from {formatShortUtcDate(plan.effectiveFrom, locale)}
              {plan.inEffect === plan.version ? null : (
                <CellNote>
                  {plan.inEffect === null ? "No version is in effect yet" : `Version ${plan.inEffect} is in effect`}
                </CellNote>
              )}
            </td>
            <td>{formatCount(plan.subscribers)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
