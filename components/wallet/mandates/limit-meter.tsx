import type { WalletLimit } from "#server/trpc/wallet/views.ts";
import { findLastFullDay, formatDateTime, formatDayAndMonth } from "../../format/dates.ts";
import { formatLimitValue, formatPartOfCap, isNearLimit, limitLabel } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { LimitBar } from "../../ui/limit-bar.tsx";
import styles from "./limit-meter.module.css";

/** One limit: used amount solid, held amount hatched, what is left and when it resets. An ended mandate shows only the used amount. */
export const LimitMeter = ({
  limit,
  currency,
  timeZone,
  reader,
  isEnded = false,
  note,
}: {
  limit: WalletLimit;
  currency: string;
  /** the mandate's time zone, in which its periods start */
  timeZone: string;
  reader: Reader;
  isEnded?: boolean;
  /** shown instead of the reset */
  note?: string;
}) => {
  const [used, cap] = formatPartOfCap(limit.usedMinor, limit, { currency, reader });
  const [held, left] = [limit.heldMinor, limit.leftMinor].map((minor) =>
    formatLimitValue(minor, limit, { currency, reader }),
  );
  const rest = [...(limit.heldMinor > 0 ? [`${held} held`] : []), ...(isEnded ? [] : [`${left} left`])].join(", ");
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
          {isEnded ? " used" : null}
        </span>
      </div>
      <div className={styles.bar}>
        <LimitBar
          usedShare={limit.usedMinor / limit.capMinor}
          heldShare={limit.heldMinor / limit.capMinor}
          look={isEnded ? "ended" : isNearLimit(limit) ? "near" : "fine"}
          label={[`${label}: ${used} of ${cap} used`, rest].filter(Boolean).join(", ")}
        />
      </div>
      <div className={styles.tiny}>
        <span className="num">{rest}</span>
        <span>{note ?? (isEnded ? null : resets(limit.resetsAt, timeZone, reader))}</span>
      </div>
    </div>
  );
};

const resets = (at: string | null, timeZone: string, reader: Reader): string => {
  if (at === null) return "";
  const zone = { ...reader, timeZone };
  const instant = new Date(at);
  return `resets ${findLastFullDay(instant, zone) ? formatDayAndMonth(instant, zone) : formatDateTime(instant, zone)}`;
};
