import type { OperatorJobs } from "#server/trpc/operator/operator-service-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { RetryJob } from "./retry-job.tsx";

type TableProps = { now: Date; reader: Reader };

const when = (at: string | null, { now, reader }: TableProps): string =>
  at === null ? "Never" : formatRelativeDateTime(new Date(at), now, reader);

const runStates: Readonly<Record<string, { tone: Tone; label: string }>> = {
  created: { tone: "note", label: "Queued" },
  retry: { tone: "warn", label: "Retrying" },
  active: { tone: "note", label: "Running" },
  completed: { tone: "good", label: "Completed" },
  cancelled: { tone: "neutral", label: "Canceled" },
  failed: { tone: "bad", label: "Failed" },
};

const StatePill = ({ state }: { state: string | null }) => {
  const { tone, label } = runStates[state ?? ""] ?? { tone: "unknown" as const, label: "Not run yet" };
  return <Pill tone={tone}>{label}</Pill>;
};

export const FailedRunsTable = ({ failed, ...context }: { failed: OperatorJobs["failed"] } & TableProps) => (
  <Table caption="Failed runs" columns={["Job", { date: "Failed" }, { acts: "Actions" }]}>
    <tbody>
      {failed.map(({ id, name, failedAt, attempts, outcome, mayRetry }) => (
        <tr key={id}>
          <td>
            {name}
            <CellNote>{outcome ?? "No error message."}</CellNote>
            {mayRetry ? null : (
              <CellNote>
                This job empties the sandbox, so it can’t be retried. It runs again in the next announced maintenance.
              </CellNote>
            )}
          </td>
          <td className="muted">
            {when(failedAt, context)}, {attempts === 1 ? "1 attempt" : `${attempts} attempts`}
          </td>
          <td>
            {mayRetry ? (
              <IfAllowed action="job.retry">
                <RetryJob runId={id} name={name} />
              </IfAllowed>
            ) : null}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

export const ScheduleTable = ({ schedules, ...context }: { schedules: OperatorJobs["schedules"] } & TableProps) => (
  <Table caption="Schedules" columns={["Job", { short: "Schedule (UTC)" }, { date: "Last run" }, { short: "Status" }]}>
    <tbody>
      {schedules.map(({ name, cron, lastState, lastAt, outcome }) => (
        <tr key={name}>
          <td>
            {name}
            {outcome && lastState !== "completed" ? <CellNote>{outcome}</CellNote> : null}
          </td>
          <td>{cron}</td>
          <td className="muted">{when(lastAt, context)}</td>
          <td>
            <StatePill state={lastState} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

export const TickTable = ({ ticks, ...context }: { ticks: OperatorJobs["ticks"] } & TableProps) => (
  <Table
    caption="Background jobs"
    columns={["Job", { date: "Last report" }, { figure: "Runs" }, { figure: "Failures" }, { short: "Status" }]}
  >
    <tbody>
      {ticks.map(({ name, ranAt, runs, failures, isFailing, lastError }) => (
        <tr key={name}>
          <td>
            {name}
            {isFailing && lastError ? <CellNote>{lastError}</CellNote> : null}
          </td>
          <td className="muted">{when(ranAt, context)}</td>
          <td>{runs}</td>
          <td>{failures}</td>
          <td>
            <Pill tone={isFailing ? "bad" : "good"}>{isFailing ? "Failing" : "Working"}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
