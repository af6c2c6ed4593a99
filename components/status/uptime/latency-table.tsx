import type { LatencyQuantile, LatencySummary } from "#server/status/rules/uptime/latency.ts";
import { formatPublicMonth } from "../../format/public-dates.ts";
import { formatCount } from "../../format/text.ts";
import { Section } from "../../portal/page-head.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import styles from "./latency-table.module.css";

const measuredWords = ({ measuredMilliseconds, isMet }: LatencyQuantile): string =>
  isMet === null ? "no data" : measuredMilliseconds === null ? "over 10 s" : `${measuredMilliseconds} ms`;

const Quantile = ({ told }: { told: LatencyQuantile }) => (
  <td className="num" data-figure>
    <span className={told.isMet === false ? styles.missed : undefined}>{measuredWords(told)}</span>
    <CellNote>
      {told.isMet === false ? "over" : "of"} {told.targetMilliseconds} ms
    </CellNote>
  </td>
);

/** A path breaks behind its parts alone. */
const Endpoint = ({ endpoint }: { endpoint: string }) =>
  endpoint.split(/(?<=\w\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text stay in their places
    <span key={index} className={styles.part}>
      {part}
    </span>
  ));

/** What each endpoint promises and what was measured of it this month. */
export const LatencyTable = ({ latency, since }: { latency: readonly LatencySummary[]; since: Date }) => (
  <Section title="How long answers take">
    <p className="small muted">
      {formatPublicMonth(since)} so far, on the server, without the network: 95 and 99 of 100 answers took no longer.
      Beneath each is its target.
    </p>
    <Table
      caption="Latency against its targets"
      columns={["Endpoint", { wide: "Answers" }, { figure: "95 %" }, { figure: "99 %" }]}
    >
      <tbody>
        {latency.map(({ endpoint, requests, p95, p99 }) => (
          <tr key={endpoint}>
            <td className="mono">
              <Endpoint endpoint={endpoint} />
            </td>
            <td className="num" data-wide>
              {formatCount(requests)}
            </td>
            <Quantile told={p95} />
            <Quantile told={p99} />
          </tr>
        ))}
      </tbody>
    </Table>
  </Section>
);
