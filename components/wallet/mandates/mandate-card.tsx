import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { isLiveMandate, mandateStateLabel } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CardLimits } from "./card-limits.tsx";
import { MandateActions } from "./mandate-actions.tsx";
import styles from "./mandate-card.module.css";
import { toStoppable } from "./stoppable.ts";

/** A summary of a mandate, with Pause and Stop. It needs `<Messages areas={["mandates"]}>`. */
export const MandateCard = ({ mandate, now, reader }: { mandate: WalletMandate; now: Date; reader: Reader }) => {
  const t = translator(reader.locale, "mandates");
  const { tone, label } = mandateStateLabel(mandate, t);
  const isEnded = !isLiveMandate(mandate);
  const href = `/wallet/mandates/${mandate.id}`;
  return (
    <article className={`card ${styles.card}`}>
      <div className={styles.top}>
        <PartyLogo name={mandate.client.name} />
        <div className={styles.id}>
          <h3>
            <Link href={href}>{mandate.client.name}</Link>
          </h3>
          <div className={`tiny ${styles.purpose}`}>{mandate.purpose || t("noPurpose")}</div>
        </div>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <CardLimits mandate={mandate} now={now} reader={reader} />
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

/** What `MandateActions` needs of a mandate. */
export const toMandateActions = (mandate: WalletMandate, { locale }: Pick<Reader, "locale">) => ({
  ...toStoppable(mandate, { locale, t: translator(locale, "mandates") }),
  isPaused: mandate.suspendedBy.includes("payer"),
});
