import { formatPublicDate } from "../../format/public-dates.ts";
import styles from "./frozen-days.module.css";

type FrozenDay = { day: Date; hash: string /** something about it was found out later */; isAmended: boolean };

/** Finished days never change: each one's hash covers its figures and the hash of the day before. */
export const FrozenDays = ({ days }: { days: readonly FrozenDay[] }) => {
  const last = days.at(-1);
  if (!last) return null;
  return (
    <details className="small">
      <summary>
        {days.length} frozen day{days.length === 1 ? "" : "s"}, the last {formatPublicDate(last.day)}
      </summary>
      <ol className={styles.days}>
        {days.toReversed().map(({ day, hash, isAmended }) => (
          <li key={hash}>
            <span>
              {formatPublicDate(day)}
              {isAmended ? ", more found out later" : null}
            </span>
            <code>{hash}</code>
          </li>
        ))}
      </ol>
    </details>
  );
};
