import type { OperatorCatalogue } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { Table } from "../../ui/table.tsx";

type Props = { taxRates: OperatorCatalogue["taxRates"] };

const behaviours = { exclusive: "Added to prices", inclusive: "Included in prices" } as const;

export const TaxRateTable = ({ taxRates }: Props) => (
  <Table
    caption="Tax rates"
    columns={[
      "Key",
      { short: "Category (EN 16931)" },
      { short: "Behaviour" },
      { figure: "Version" },
      { figure: "Rate" },
    ]}
  >
    <tbody>
      {taxRates.map(({ key, version, category, rate, behaviour }) => (
        <tr key={key}>
          <td className="mono">{key}</td>
          <td>{category}</td>
          <td>{behaviours[behaviour]}</td>
          <td>{version}</td>
          <td>{rate}&nbsp;%</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
