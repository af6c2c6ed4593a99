import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletLimit } from "#server/trpc/wallet/views.ts";
import { formatLimitValue, formatPartOfCap, isNearLimit, limitLabel } from "../../format/labels/mandate-labels.ts";
import { formatNextReset } from "../../format/periods.ts";
import type { Reader } from "../../format/reader.ts";
import { LimitBar } from "../../ui/limit-bar.tsx";
import styles from "./limit-meter.module.css";

/** Whether the meter shows a used amount. Without a used amount, `note` isn't shown either. */
export const hasUse = ({ kind, period }: WalletLimit, isEnded: boolean): boolean =>
  kind !== "per_payment" && !(isEnded && period !== null);

/** A limit without a use to show. */
export const LimitText = ({ label, value }: { label: string; value: string }) => (
  <div className={styles.row}>
    <span className="muted">{label}</span>
    <span className="num">{value}</span>
  </div>
);

/**
 * One limit: the used amount (solid), the held amount (hatched), the remaining amount and the time of the reset. For an
 * ended mandate, the remaining amount and the reset aren't shown. A limit per payment, and a limit per period of an
 * ended mandate, has no use to show.
 */
export const LimitMeter = ({
  limit,
  currency,
  now,
  reader,
  isEnded = false,
  note,
}: {
  limit: WalletLimit;
  currency: string;
  now: Date;
  reader: Reader;
  isEnded?: boolean;
  /** shown instead of the reset */
  note?: string;
}) => {
  const t = translator(reader.locale, "mandates");
  const format = { currency, reader, t };
  const [used, cap] = formatPartOfCap(limit.usedMinor, limit, format);
  const [held = "", left = ""] = [limit.heldMinor, limit.leftMinor].map((minor) =>
    formatLimitValue(minor, limit, format),
  );
  const rest = [
    ...(limit.heldMinor > 0 ? [t("limits.held", { amount: held })] : []),
    ...(isEnded ? [] : [t("limits.left", { amount: left })]),
  ].join(", ");
  const label = limitLabel(limit, t, isEnded);
  if (!hasUse(limit, isEnded)) {
    return <LimitText label={label} value={t("limits.upTo", { cap })} />;
  }
  return (
    <div>
      <div className={styles.row}>
        <span className="muted">{label}</span>
        <span className="num">
          {t.rich(isEnded ? "limits.usedOfEnded" : "limits.usedOf", { used, cap, b: (text) => <b>{text}</b> })}
        </span>
      </div>
      <div className={styles.bar}>
        <LimitBar
          usedShare={limit.usedMinor / limit.capMinor}
          heldShare={limit.heldMinor / limit.capMinor}
          look={isEnded ? "ended" : isNearLimit(limit) ? "near" : "fine"}
          label={[t("limits.bar", { limit: label, used, cap }), rest].filter(Boolean).join(", ")}
        />
      </div>
      <div className={styles.tiny}>
        <span className="num">{rest}</span>
        <span>
          {note ?? (isEnded || limit.resetsAt === null ? null : formatNextReset(new Date(limit.resetsAt), now, reader))}
        </span>
      </div>
    </div>
  );
};
