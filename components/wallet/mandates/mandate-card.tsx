import Link from "next/link";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDate } from "../../format/dates.ts";
import {
  describeLimits,
  heldMinorOf,
  isLiveMandate,
  mainLimit,
  mandateEnd,
  mandateStateLabel,
} from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { Pill } from "../../ui/pill.tsx";
import { LimitMeter } from "./limit-meter.tsx";
import { MandateActions } from "./mandate-actions.tsx";
import styles from "./mandate-card.module.css";

/** A summary of a mandate, with Pause and Stop. It needs `<Messages areas={["mandates"]}>`. */
export const MandateCard = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const t = translator(reader.locale, "mandates");
  const { tone, label } = mandateStateLabel(mandate, t);
  const isEnded = !isLiveMandate(mandate);
  const href = `/wallet/mandates/${mandate.id}`;
  const noPurpose = translator(reader.locale, "wallet")("noPurpose");
  return (
    <article className={`card ${styles.card}`}>
      <div className={styles.top}>
        <PartyLogo name={mandate.client.name} />
        <div className={styles.id}>
          <h3>
            <Link href={href}>{mandate.client.name}</Link>
          </h3>
          <div className={`tiny ${styles.purpose}`}>{mandate.purpose || noPurpose}</div>
        </div>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <CardLimits mandate={mandate} reader={reader} />
      <div className={styles.foot}>
        {isEnded ? (
          <ButtonLink href={href} size="small">
            {t("card.details")}
          </ButtonLink>
        ) : (
          <MandateActions mandate={toMandateActions(mandate, reader)}>
            <ButtonLink href={`${href}#limits`} size="small">
              {t("card.limits")}
            </ButtonLink>
          </MandateActions>
        )}
      </div>
    </article>
  );
};

/** The limit that is used most, and the limit per payment. */
const CardLimits = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const t = translator(reader.locale, "mandates");
  const main = mainLimit(mandate.limits);
  const perPayment = mandate.limits.find(({ kind }) => kind === "per_payment");
  const isEnded = !isLiveMandate(mandate);
  const date = formatDate(mandateEnd(mandate), reader);
  const meter = { currency: mandate.currency, timeZone: mandate.timeZone, reader };
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
      ) : (
        <div className={styles.plain}>
          <span className="muted">{t(isEnded ? "card.endedLabel" : "card.endsLabel")}</span>
          <span>{date}</span>
        </div>
      )}
      {perPayment && !isEnded ? <LimitMeter {...meter} limit={perPayment} /> : <div />}
    </>
  );
};

export const toMandateActions = (mandate: WalletMandate, reader: Reader) => {
  const held = heldMinorOf(mandate);
  const t = translator(reader.locale, "mandates");
  return {
    id: mandate.id,
    clientName: mandate.client.name,
    purpose: mandate.purpose || translator(reader.locale, "wallet")("noPurpose"),
    limits: describeLimits(mandate, { locale: reader.locale, t }),
    locale: reader.locale,
    liveOfClient: mandate.liveOfClient,
    isPaused: mandate.suspendedBy.includes("payer"),
    held: held > 0 ? formatAmount(held, mandate.currency, reader) : null,
  };
};
