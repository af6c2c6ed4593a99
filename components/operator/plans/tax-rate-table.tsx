import type { OperatorCatalogue } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { formatPercentage } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { Table } from "../../ui/table.tsx";

type Props = { taxRates: OperatorCatalogue["taxRates"]; reader: Pick<Reader, "locale"> };

const behaviours = { exclusive: "Added to prices", inclusive: "Included in prices" } as const;

export const TaxRateTable = ({ taxRates, reader }: Props) => (
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
          <td>{formatPercentage(rate, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
