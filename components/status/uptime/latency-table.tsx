import type { LatencyQuantile, LatencySummary } from "#server/status/rules/uptime/latency.ts";
import { formatPublicMonth } from "../../format/public-dates.ts";
import { formatCount } from "../../format/text.ts";
import { Section } from "../../portal/page-head.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import styles from "./latency-table.module.css";

const measuredText = ({ measuredMilliseconds, isMet }: LatencyQuantile): string =>
  isMet === null ? "No data" : measuredMilliseconds === null ? "Over 10 s" : `${measuredMilliseconds} ms`;

const Quantile = ({ quantile }: { quantile: LatencyQuantile }) => (
  <>
    <span className={quantile.isMet === false ? styles.missed : undefined}>{measuredText(quantile)}</span>
    <CellNote>
      {quantile.isMet === false ? "over the target of" : "target"} {quantile.targetMilliseconds} ms
    </CellNote>
  </>
);

/** A path wraps only after a slash. */
const Endpoint = ({ endpoint }: { endpoint: string }) =>
  endpoint.split(/(?<=\w\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    <span key={index} className={styles.part}>
      {part}
    </span>
  ));

/** The latency target of each endpoint, and the latency measured this month. */
export const LatencyTable = ({ latency, since }: { latency: readonly LatencySummary[]; since: Date }) => (
  <Section title="Latency">
    <p className="small muted">
      Response times in {formatPublicMonth(since)} so far, measured on the server, excluding network time. The table
      shows the 95th and 99th percentiles (p95 and p99), each with its target below.
    </p>
    <Table
      caption="Latency and targets"
      columns={["Endpoint", { figure: "Requests" }, { figure: "p95" }, { figure: "p99" }]}
      isInOrder
    >
      <tbody>
        {latency.map(({ endpoint, requests, p95, p99 }) => (
          <tr key={endpoint}>
            <td className="mono">
              <Endpoint endpoint={endpoint} />
            </td>
            <td>{formatCount(requests)}</td>
            <td>
              <Quantile quantile={p95} />
            </td>
            <td>
              <Quantile quantile={p99} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Section>
);
