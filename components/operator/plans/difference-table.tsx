import type { OperatorPlanComparison } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { Table } from "../../ui/table.tsx";

const Value = ({ text }: { text: string | null }) => (text === null ? <span className="muted">None</span> : text);

/** The values that differ between two versions, or all values of the first version. */
export const DifferenceTable = ({ plan: { from, to, differences } }: { plan: OperatorPlanComparison }) => (
  <Table
    caption={from === null ? `Values of version ${to}` : `Differences between version ${from} and version ${to}`}
    columns={["Value", ...(from === null ? [] : [`Version ${from}`]), `Version ${to}`]}
  >
    <tbody>
      {differences.map((one) => (
        <tr key={one.path}>
          <td className="mono">{one.path}</td>
          {from === null ? null : (
            <td>
              <Value text={one.from} />
            </td>
          )}
          <td>
            <Value text={one.to} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
