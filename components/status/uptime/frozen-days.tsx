import { formatPublicDate } from "../../format/public-dates.ts";
import styles from "./frozen-days.module.css";

type FrozenDay = { day: Date; hash: string /** the current figures differ from the frozen ones */; isAmended: boolean };

/** Frozen days don't change. The hash of each day covers its frozen figures and the hash of the previous day. */
export const FrozenDays = ({ days }: { days: readonly FrozenDay[] }) => {
  const last = days.at(-1);
  if (!last) return null;
  return (
    <details className="small">
      <summary>
        SHA-256 hashes of {days.length} finished {days.length === 1 ? "day" : "days"}, up to{" "}
        {formatPublicDate(last.day)}
      </summary>
      <p>Each hash covers the figures of its day and the previous hash, so that later changes are noticed.</p>
      <ol className={styles.days}>
        {days.toReversed().map(({ day, hash, isAmended }) => (
          <li key={hash}>
            <span>
              {formatPublicDate(day)}
              {isAmended ? ", corrected later" : null}
            </span>
            <code>{hash}</code>
          </li>
        ))}
      </ol>
    </details>
  );
};
