import { formatPublicDate } from "../../format/public-dates.ts";
import styles from "./frozen-days.module.css";

type FrozenDay = { day: Date; hash: string /** the figures of the day were corrected later */; isAmended: boolean };

/** Finished days don't change. The hash of each day covers its figures and the hash of the previous day. */
export const FrozenDays = ({ days }: { days: readonly FrozenDay[] }) => {
  const last = days.at(-1);
  if (!last) return null;
  return (
    <details className="small">
      <summary>
        Hashes of {days.length} completed {days.length === 1 ? "day" : "days"}, up to {formatPublicDate(last.day)}
      </summary>
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
