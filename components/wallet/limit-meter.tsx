import type { WalletLimit } from "#server/trpc/views.ts";
import { dateTime, lastFullDay, type Reader } from "../mandates/words.ts";
import { LimitBar } from "../ui/limit-bar.tsx";
import styles from "./limit-meter.module.css";
import { figure, isNear, limitLabel } from "./mandate-words.ts";

/** One limit: used solid, held hatched, what is left and when it resets. */
export const LimitMeter = ({
  limit,
  currency,
  timeZone,
  reader,
  note,
}: {
  limit: WalletLimit;
  currency: string;
  /** the mandate's own, in which its periods begin */
  timeZone: string;
  reader: Reader;
  /** instead of when it resets */
  note?: string;
}) => {
  const [used, held, cap, left] = [limit.usedMinor, limit.heldMinor, limit.capMinor, limit.leftMinor].map((minor) =>
    figure(minor, limit, currency, reader),
  );
  const label = limitLabel(limit);
  if (limit.kind === "per_payment") {
    return (
      <div className={styles.row}>
        <span className="muted">{label}</span>
        <span className="num">up to {cap}</span>
      </div>
    );
  }
  return (
    <div>
      <div className={styles.row}>
        <span className="muted">{label}</span>
        <span className="num">
          <b>{used}</b> of {cap}
        </span>
      </div>
      <div className={styles.bar}>
        <LimitBar
          usedShare={limit.usedMinor / limit.capMinor}
          heldShare={limit.heldMinor / limit.capMinor}
          isNear={isNear(limit)}
          label={`${label}: ${used} of ${cap} used${limit.heldMinor > 0 ? `, ${held} held` : ""}, ${left} left`}
        />
      </div>
      <div className={styles.tiny}>
        <span className="num">{limit.heldMinor > 0 ? `${held} held, ${left} left` : `${left} left`}</span>
        <span>{note ?? resets(limit.resetsAt, timeZone, reader)}</span>
      </div>
    </div>
  );
};

const resets = (at: string | null, timeZone: string, reader: Reader): string => {
  if (at === null) return "";
  const zone = { ...reader, timeZone };
  const instant = new Date(at);
  const day = new Intl.DateTimeFormat(reader.locale, { timeZone, day: "numeric", month: "long" }).format(instant);
  return lastFullDay(instant, zone) ? `resets ${day}` : `resets ${dateTime(instant, zone)}`;
};
