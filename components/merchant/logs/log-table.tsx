import type { ApiLogLine } from "#server/trpc/merchant/log-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { CellId, RowLink, Table } from "../../ui/table.tsx";
import { LogStatus } from "./log-status.tsx";

/** Logged requests, newest first. */
export const LogTable = ({ logs, now, reader }: { logs: readonly ApiLogLine[]; now: Date; reader: Reader }) => (
  <Table caption="Requests" columns={["Request", "App", { date: "When" }, { figure: "Duration" }, { short: "Status" }]}>
    <tbody>
      {logs.map((log) => (
        <tr key={log.requestId}>
          <td>
            <RowLink href={`/merchant/logs/${log.requestId}`}>
              {log.method} {log.path}
            </RowLink>
            <CellId>{log.requestId}</CellId>
          </td>
          <td className="muted">{log.clientName ?? log.clientId}</td>
          <td className="muted">
            <Time at={log.at} now={now} reader={reader} />
          </td>
          <td className="muted">{log.milliseconds} ms</td>
          <td>
            <LogStatus status={log.status} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
