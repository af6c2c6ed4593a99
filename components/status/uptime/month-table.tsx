import { formatDuration } from "../../format/durations.ts";
import { formatPublicMonth } from "../../format/public-dates.ts";
import { Table } from "../../ui/table.tsx";

type Month = {
  from: Date;
  /** null: no data */
  percent: string | null;
  /** milliseconds */
  down: number;
  excluded: number;
  unmeasured: number;
};

const durationText = (milliseconds: number): string => (milliseconds === 0 ? "none" : formatDuration(milliseconds));

export const MonthTable = ({ name, months }: { name: string; months: readonly Month[] }) =>
  months.length === 0 ? (
    <p className="small muted">No data yet.</p>
  ) : (
    <Table caption={`Uptime of ${name} by month`} columns={["Month", "Down", "Excluded", "Unknown", "Uptime"]}>
      <tbody>
        {months.map(({ from, percent, down, excluded, unmeasured }) => (
          <tr key={from.toISOString()}>
            <td>{formatPublicMonth(from)}</td>
            <td>{durationText(down)}</td>
            <td>{durationText(excluded)}</td>
            <td>{durationText(unmeasured)}</td>
            <td className="num">{percent === null ? "no data" : `${percent} %`}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
