import type { OperatorJobs } from "#server/trpc/operator/operator-service-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { RetryJob } from "./retry-job.tsx";

type Shown = { now: Date; reader: Reader };

const when = (at: string | null, { now, reader }: Shown): string =>
  at === null ? "never" : formatRelativeDateTime(new Date(at), now, reader);

const runStates: Readonly<Record<string, { tone: Tone; label: string }>> = {
  created: { tone: "note", label: "Queued" },
  retry: { tone: "warn", label: "To be tried again" },
  active: { tone: "note", label: "At work" },
  completed: { tone: "good", label: "Done" },
  cancelled: { tone: "neutral", label: "Cancelled" },
  failed: { tone: "bad", label: "Failed" },
};

const StatePill = ({ state }: { state: string | null }) => {
  const { tone, label } = runStates[state ?? ""] ?? { tone: "unknown" as const, label: "Not yet" };
  return <Pill tone={tone}>{label}</Pill>;
};

export const FailedRunsTable = ({ failed, ...shown }: { failed: OperatorJobs["failed"] } & Shown) => (
  <Table caption="Runs that failed" columns={["Job", { wide: "Failed" }, { hidden: "Acts" }]}>
    <tbody>
      {failed.map(({ id, name, failedAt, attempts, outcome, mayRetry }) => (
        <tr key={id}>
          <td>
            {name}
            <CellNote>{outcome ?? "It left no word."}</CellNote>
            {mayRetry ? null : <CellNote>Comes again on its schedule, as announced.</CellNote>}
          </td>
          <td className="muted" data-wide data-figure>
            {when(failedAt, shown)}, {attempts === 1 ? "1 try" : `${attempts} tries`}
          </td>
          <td>{mayRetry ? <RetryJob runId={id} name={name} /> : null}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

export const ScheduleTable = ({ schedules, ...shown }: { schedules: OperatorJobs["schedules"] } & Shown) => (
  <Table caption="Schedules" columns={["Job", { wide: "Schedule (UTC)" }, { wide: "Last run" }, "State"]}>
    <tbody>
      {schedules.map(({ name, cron, lastState, lastAt, outcome }) => (
        <tr key={name}>
          <td>
            {name}
            {outcome && lastState !== "completed" ? <CellNote>{outcome}</CellNote> : null}
          </td>
          <td data-wide>{cron}</td>
          <td className="muted" data-wide data-figure>
            {when(lastAt, shown)}
          </td>
          <td>
            <StatePill state={lastState} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

export const TickTable = ({ ticks, ...shown }: { ticks: OperatorJobs["ticks"] } & Shown) => (
  <Table caption="Ticks" columns={["Job", { wide: "Last told" }, { wide: "Runs, failed" }, "State"]}>
    <tbody>
      {ticks.map(({ name, ranAt, runs, failures, isFailing, lastError }) => (
        <tr key={name}>
          <td>
            {name}
            {isFailing && lastError ? <CellNote>{lastError}</CellNote> : null}
          </td>
          <td className="muted" data-wide data-figure>
            {when(ranAt, shown)}
          </td>
          <td className="num" data-wide>
            {runs}, {failures}
          </td>
          <td>
            <Pill tone={isFailing ? "bad" : "good"}>{isFailing ? "Fails" : "Runs"}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
