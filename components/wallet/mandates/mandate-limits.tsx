import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletLimit, WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatLimitValue, isCountLimit, isLiveMandate, limitLabel } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { LimitMeter, LimitText } from "./limit-meter.tsx";
import { LowerLimit } from "./lower-limit.tsx";
import styles from "./mandate-limits.module.css";

/** Whether the mandate ends when this limit is used up (docs/spec/payments.md, Mandate states). */
const endsWhenUsedUp = ({ kind }: WalletLimit, { restoresRefunds }: WalletMandate): boolean =>
  kind === "total_count" || (kind === "total" && !restoresRefunds);

/** The use of each limit. @param canLower each limit has a button to lower it, for the payer */
export const MandateLimits = ({
  mandate,
  now,
  reader,
  canLower = isLiveMandate(mandate),
}: {
  mandate: WalletMandate;
  now: Date;
  reader: Reader;
  canLower?: boolean;
}) => {
  const t = translator(reader.locale, "mandates");
  const context = { currency: mandate.currency, reader, t };
  return (
    <div id="limits" className={`card ${styles.limits}`}>
      {mandate.limits.map((limit) => (
        <div key={limit.key} className={styles.limit}>
          <LimitMeter
            limit={limit}
            currency={mandate.currency}
            now={now}
            reader={reader}
            isEnded={!isLiveMandate(mandate)}
          />
          {canLower ? (
            <LowerLimit
              mandateId={mandate.id}
              clientName={mandate.client.name}
              limitKey={limit.key}
              endsMandate={endsWhenUsedUp(limit, mandate)}
              label={limitLabel(limit, t)}
              cap={limit.capMinor}
              capText={formatLimitValue(limit.capMinor, limit, context)}
              used={limit.usedMinor}
              usedText={formatLimitValue(limit.usedMinor, limit, context)}
              currency={isCountLimit(limit) ? null : mandate.currency}
              locale={reader.locale}
            />
          ) : null}
        </div>
      ))}
      {mandate.limits.some(({ kind }) => kind === "total") ? null : (
        <div className={styles.limit}>
          <LimitText label={t("limits.total")} value={t("limits.none")} />
        </div>
      )}
    </div>
  );
};
