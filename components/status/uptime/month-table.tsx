import { formatDuration } from "../../format/durations.ts";
import { formatPublicMonth } from "../../format/public-dates.ts";
import { Table } from "../../ui/table.tsx";

type Month = {
  from: Date;
  /** null: no data */
  percent: string | null;
  /** for SLA credits, where some unknown time counts as down */
  creditPercent: string | null;
  /** milliseconds */
  down: number;
  excluded: number;
  unmeasured: number;
};

const durationText = (milliseconds: number): string => (milliseconds === 0 ? "None" : formatDuration(milliseconds));

const percentText = ({ percent, creditPercent }: Month): string => {
  if (percent === null) return "No data";
  const differs = creditPercent !== null && creditPercent !== percent;
  return differs ? `${percent}% (${creditPercent}% for SLA credits)` : `${percent}%`;
};

/** Invoices link to a month's row: `billing_engine-2026-10`. @param id of the component */
export const MonthTable = ({ id, name, months }: { id: string; name: string; months: readonly Month[] }) =>
  months.length === 0 ? (
    <p className="small muted">No data yet.</p>
  ) : (
    <Table
      caption={`Uptime of ${name} by month`}
      columns={[
        { date: "Month" },
        { figure: "Down" },
        { figure: "Excluded" },
        { figure: "Unknown" },
        { figure: "Uptime" },
      ]}
    >
      <tbody>
        {months.map((month) => (
          <tr key={month.from.toISOString()} id={`${id}-${month.from.toISOString().slice(0, 7)}`}>
            <td>{formatPublicMonth(month.from)}</td>
            <td>{durationText(month.down)}</td>
            <td>{durationText(month.excluded)}</td>
            <td>{durationText(month.unmeasured)}</td>
            <td>{percentText(month)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
