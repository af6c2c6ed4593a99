import type { OperatorPlanComparison } from "#server/trpc/operator/plans/operator-plan-views.ts";
import { Breakable } from "../../format/breakable.tsx";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Table } from "../../ui/table.tsx";

const amountPath = /^currencies\.(?<currency>[A-Z]{3})\.(?:.+\.)?(?:flat|minimum|maximum|amount|min|max)$/;

/** An amount as money; any other value as it is in the catalogue. */
const valueText = (path: string, text: string, reader: Reader): string => {
  const currency = amountPath.exec(path)?.groups?.["currency"];
  return currency !== undefined && /^\d+$/.test(text) ? formatAmount(BigInt(text), currency, reader) : text;
};

const Value = ({ path, text, reader }: { path: string; text: string | null; reader: Reader }) =>
  text === null ? <span className="muted">None</span> : valueText(path, text, reader);

/** The values that differ between two versions. If there is no earlier version, all values are listed. */
export const DifferenceTable = ({
  plan: { from, to, differences },
  reader,
}: {
  plan: OperatorPlanComparison;
  reader: Reader;
}) => (
  <Table
    caption={from === null ? `Values of version ${to}` : `Differences between version ${from} and version ${to}`}
    columns={from === null ? ["Field", { unlabelled: `Version ${to}` }] : ["Field", `Version ${from}`, `Version ${to}`]}
  >
    <tbody>
      {differences.map((one) => (
        <tr key={one.path}>
          <td className="mono">
            <Breakable path={one.path} />
          </td>
          {from === null ? null : (
            <td>
              <Value path={one.path} text={one.from} reader={reader} />
            </td>
          )}
          <td>
            <Value path={one.path} text={one.to} reader={reader} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
