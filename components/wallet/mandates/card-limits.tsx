import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDateTime, formatEndDay } from "../../format/dates.ts";
import { isLiveMandate, mainLimit, mandateEnd } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { hasUse, LimitMeter } from "./limit-meter.tsx";
import styles from "./mandate-card.module.css";

/**
 * The limit that is used most; limits whose use can be shown come before others. For a live mandate, also the limit per
 * payment.
 */
export const CardLimits = ({ mandate, now, reader }: { mandate: WalletMandate; now: Date; reader: Reader }) => {
  const t = translator(reader.locale, "mandates");
  const isEnded = !isLiveMandate(mandate);
  const main = mainLimit(mandate.limits.filter((limit) => hasUse(limit, isEnded))) ?? mainLimit(mandate.limits);
  const perPayment = mandate.limits.find(({ kind }) => kind === "per_payment");
  const date = isEnded
    ? formatDateTime(mandateEnd(mandate), reader)
    : formatEndDay(new Date(mandate.validUntil), reader);
  const meter = { currency: mandate.currency, now, reader };
  return (
    <>
      {main ? (
        <LimitMeter
          {...meter}
          limit={main}
          isEnded={isEnded}
          {...(isEnded
            ? { note: t("limits.ended", { date }) }
            : main.resetsAt === null
              ? { note: t("limits.ends", { date }) }
              : {})}
        />
      ) : null}
      {main && hasUse(main, isEnded) ? null : (
        <div className={styles.plain}>
          <span className="muted">{t(isEnded ? "card.endedLabel" : "card.endsLabel")}</span>
          <span>{date}</span>
        </div>
      )}
      {perPayment && !isEnded ? <LimitMeter {...meter} limit={perPayment} /> : null}
    </>
  );
};
