import Link from "next/link";
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

/** A summary of a mandate, with Pause and Stop. */
export const MandateCard = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const { tone, label } = mandateStateLabel(mandate);
  const main = mainLimit(mandate.limits);
  const perPayment = mandate.limits.find(({ kind }) => kind === "per_payment");
  const isEnded = !isLiveMandate(mandate);
  const end = formatDate(mandateEnd(mandate), reader);
  const href = `/wallet/mandates/${mandate.id}`;
  return (
    <article className={`card ${styles.card}`}>
      <div className={styles.top}>
        <PartyLogo name={mandate.client.name} />
        <div className={styles.id}>
          <h3>
            <Link href={href}>{mandate.client.name}</Link>
          </h3>
          <div className={`tiny ${styles.purpose}`}>{mandate.purpose || "No purpose given"}</div>
        </div>
        <Pill tone={tone}>{label}</Pill>
      </div>
      {main ? (
        <LimitMeter
          limit={main}
          currency={mandate.currency}
          timeZone={mandate.timeZone}
          reader={reader}
          isEnded={isEnded}
          {...(isEnded ? { note: `ended ${end}` } : main.resetsAt === null ? { note: `ends ${end}` } : {})}
        />
      ) : (
        <div className={styles.plain}>
          <span className="muted">{isEnded ? "Ended" : "Ends"}</span>
          <span>{end}</span>
        </div>
      )}
      {perPayment && !isEnded ? (
        <LimitMeter limit={perPayment} currency={mandate.currency} timeZone={mandate.timeZone} reader={reader} />
      ) : (
        <div />
      )}
      <div className={styles.foot}>
        {!isEnded ? (
          <MandateActions mandate={toMandateActions(mandate, reader)}>
            <ButtonLink href={`${href}#limits`} size="small">
              Limits
            </ButtonLink>
          </MandateActions>
        ) : (
          <ButtonLink href={href} size="small">
            Details
          </ButtonLink>
        )}
      </div>
    </article>
  );
};

export const toMandateActions = (mandate: WalletMandate, reader: Reader) => {
  const held = heldMinorOf(mandate);
  return {
    id: mandate.id,
    clientName: mandate.client.name,
    purpose: mandate.purpose,
    limits: describeLimits(mandate, reader),
    locale: reader.locale,
    liveOfClient: mandate.liveOfClient,
    isPaused: mandate.suspendedBy.includes("payer"),
    held: held > 0 ? formatAmount(held, mandate.currency, reader) : null,
  };
};
