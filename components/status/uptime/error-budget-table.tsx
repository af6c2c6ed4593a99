import { formatPublicMonth } from "../../format/public-dates.ts";
import { Section } from "../../portal/page-head.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

/** Durations are in words: `43.2 min`. */
export type BudgetView = {
  key: string;
  name: string;
  /** what the burn rate means */
  meaning: string;
  allowed: string;
  used: string;
  left: string;
  /** null: nothing was measured */
  burnRate: string | null;
};

/** The error budget of each component with an objective in the UTC month of `now`. */
export const ErrorBudgetTable = ({ budgets, now }: { budgets: readonly BudgetView[]; now: Date }) => (
  <Section title="Error budgets">
    <p className="small muted">
      The downtime that each objective allows in {formatPublicMonth(now)}. The burn rate shows how fast the budget was
      used in the last 6 hours. At a burn rate of 1, the budget lasts exactly one month.
    </p>
    <Table
      caption="Error budgets"
      columns={["Component", { figure: "Allowed" }, { figure: "Used" }, { figure: "Burn rate" }, { figure: "Left" }]}
    >
      <tbody>
        {budgets.map(({ key, name, meaning, allowed, used, left, burnRate }) => (
          <tr key={key}>
            <td>
              {name}
              <CellNote>{meaning}</CellNote>
            </td>
            <td>{allowed}</td>
            <td>{used}</td>
            <td>{burnRate ?? "No data"}</td>
            <td>{left}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Section>
);
