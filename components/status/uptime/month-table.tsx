import { formatDuration } from "../../format/durations.ts";
import { formatPublicMonth } from "../../format/public-dates.ts";
import { Table } from "../../ui/table.tsx";

type Month = {
  from: Date;
  /** null: nothing was measured */
  percent: string | null;
  /** milliseconds */
  down: number;
  excluded: number;
  unmeasured: number;
};

const lengthOf = (milliseconds: number): string => (milliseconds === 0 ? "none" : formatDuration(milliseconds));

export const MonthTable = ({ name, months }: { name: string; months: readonly Month[] }) =>
  months.length === 0 ? (
    <p className="small muted">Nothing was measured yet, so there is no figure.</p>
  ) : (
    <Table
      caption={`Uptime of ${name} by month`}
      columns={["Month", "Down", { wide: "Left out" }, { wide: "Unknown" }, "Uptime"]}
    >
      <tbody>
        {months.map(({ from, percent, down, excluded, unmeasured }) => (
          <tr key={from.toISOString()}>
            <td>{formatPublicMonth(from)}</td>
            <td>{lengthOf(down)}</td>
            <td data-wide>{lengthOf(excluded)}</td>
            <td data-wide>{lengthOf(unmeasured)}</td>
            <td className="num">{percent === null ? "no figure" : `${percent} %`}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
