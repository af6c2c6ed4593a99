import type { BudgetsLeft } from "#server/trpc/operator/home/operator-home-views.ts";
import { formatMinutes } from "../../format/durations.ts";
import { Pill } from "../../ui/pill.tsx";
import { Table } from "../../ui/table.tsx";

/** What is left of each component's error budget this month. */
export const BudgetsLeftTable = ({ budgets, locale }: { budgets: BudgetsLeft; locale: string }) => (
  <Table caption="Error budgets left this month" columns={["Component", { figure: "Left" }, { short: "Status" }]}>
    <tbody>
      {budgets.map(({ id, name, leftMilliseconds, allowedMilliseconds, isUsedUp }) => (
        <tr key={id}>
          <td>{name}</td>
          <td>
            {formatMinutes(leftMilliseconds, locale)} of {formatMinutes(allowedMilliseconds, locale)}
          </td>
          <td>
            <Pill tone={isUsedUp ? "bad" : "good"}>{isUsedUp ? "Used up" : "Available"}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
