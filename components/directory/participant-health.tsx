import type { HealthView } from "#server/directory/health/find-health.ts";
import { formatPercentage } from "../format/percent.ts";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import { Timeline, TimelineItem } from "../portal/timeline.tsx";
import { DayBars } from "../ui/chart/day-bars.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Pill } from "../ui/pill.tsx";
import styles from "./directory.module.css";
import { healthBar } from "./health-bar.ts";

type Props = {
  health: HealthView;
  /** the participant's name */
  name: string;
  /** address of the snapshots in the API */
  metadataHref: string;
  now: Date;
  reader: Reader;
};
type Times = Pick<Props, "now" | "reader">;

/** The checks of a participant's metadata: the last result, the last 30 days, the documents and their changes. */
export const ParticipantHealth = ({ health, name, metadataHref, ...times }: Props) => (
  <>
    {health.result ? (
      <Result name={name} result={health.result} days={health.days} {...times} />
    ) : (
      <p className="muted small">The metadata hasn’t been checked yet.</p>
    )}
    <Documents documents={health.documents} metadataHref={metadataHref} {...times} />
    <Changes changes={health.changes} {...times} />
  </>
);

type Result = NonNullable<HealthView["result"]>;

const Result = ({
  name,
  result,
  days,
  now,
  reader,
}: Times & { name: string; result: Result; days: HealthView["days"] }) => (
  <>
    <Facts>
      <Fact name="Last check">
        <Pill tone={result.status === "up" ? "good" : "bad"}>{result.status === "up" ? "Up" : "Down"}</Pill>{" "}
        <Time at={result.last_checked_at} now={now} reader={reader} />
      </Fact>
      {result.problem ? <Fact name="Problem">{result.problem}</Fact> : null}
      <Fact name="Last success">
        {result.last_success_at ? <Time at={result.last_success_at} now={now} reader={reader} /> : "None yet"}
      </Fact>
      {result.latency_ms === null ? null : <Fact name="Latency">{result.latency_ms} ms</Fact>}
    </Facts>
    <DayBars name={name} days={days.map(healthBar)}>
      {result.uptime_30d === null ? (
        "No data"
      ) : (
        <>
          <b>{formatPercentage(result.uptime_30d, reader)}</b> uptime in 30 days
        </>
      )}
    </DayBars>
  </>
);

const Documents = ({
  documents,
  metadataHref,
  now,
  reader,
}: Times & Pick<Props, "metadataHref"> & { documents: HealthView["documents"] }) => (
  <>
    <h3>Metadata documents</h3>
    <ul className={styles.keys}>
      {documents.map(({ uri, fetchedAt, changedAt }) => (
        <li key={uri}>
          <code className="small">{uri}</code>
          <span className="small muted">
            {fetchedAt ? (
              <>
                fetched <Time at={fetchedAt} now={now} reader={reader} isInSentence />
              </>
            ) : (
              "not fetched yet"
            )}
            {changedAt ? (
              <>
                , changed <Time at={changedAt} now={now} reader={reader} isInSentence />
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
    <p className="small">
      <a href={metadataHref}>Snapshots and changes as JSON</a>
    </p>
  </>
);

/** A change can have thousands of operations. The API has all of them. */
const maxOperations = 20;

const partNames = { metadata: "Metadata changed", jwks: "Keys changed" } as const;

const Changes = ({ changes, now, reader }: Times & { changes: HealthView["changes"] }) =>
  changes.length === 0 ? null : (
    <>
      <h3>Latest changes of the documents</h3>
      <Timeline>
        {changes.map(({ uri, part, changed_at: at, diff }) => (
          <TimelineItem key={`${uri} ${part} ${at}`} at={at} now={now} reader={reader}>
            <b>{partNames[part]}</b>
            <p className={`small muted ${styles.uri}`}>{uri}</p>
            <div className={styles.operations}>
              {diff.slice(0, maxOperations).map(({ op, path }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the operations of a change keep their order
                <p key={index}>
                  {op} <code>{path || "the document"}</code>
                </p>
              ))}
              {diff.length > maxOperations ? <p>and {diff.length - maxOperations} more</p> : null}
            </div>
          </TimelineItem>
        ))}
      </Timeline>
    </>
  );
