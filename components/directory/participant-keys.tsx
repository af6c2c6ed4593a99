import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import { Pill } from "../ui/pill.tsx";
import styles from "./directory.module.css";

type Key = { thumbprint: string; algorithm: string; retiredAt: string | null };

/** Current keys first, each with its RFC 7638 thumbprint. */
export const ParticipantKeys = ({ keys, now, reader }: { keys: readonly Key[]; now: Date; reader: Reader }) => {
  if (keys.length === 0) return <p className="muted small">No keys are known.</p>;
  const sorted = [...keys.filter((key) => key.retiredAt === null), ...keys.filter((key) => key.retiredAt !== null)];
  return (
    <ul className={styles.keys}>
      {sorted.map(({ thumbprint, algorithm, retiredAt }) => (
        <li key={thumbprint}>
          <code className="small">{thumbprint}</code>
          <span className="small muted">{algorithm}</span>
          {retiredAt === null ? (
            <Pill tone="good">Current</Pill>
          ) : (
            <span className="small muted">
              Retired <Time at={retiredAt} now={now} reader={reader} isInSentence />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
};
