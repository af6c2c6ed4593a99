"use client";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { InlineList } from "../../format/inline-list.tsx";
import { limitLabels, mandateStateLabel } from "../../format/labels/mandate-labels.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { Pill } from "../../ui/pill.tsx";
import styles from "./more-mandates.module.css";
import { StopMandate } from "./stop-mandate.tsx";
import { toStoppable } from "./stoppable.ts";
import { type MandateRows, useMoreMandates } from "./use-more-mandates.ts";

/**
 * The live mandates after the first cards, one short row each, with Stop. Scrolling loads the following rows, so that
 * each mandate can be stopped without opening another page. It needs `<Messages areas={["mandates"]}>`.
 */
export const MoreMandates = ({
  first,
  search,
  allHref,
  locale,
}: {
  first: MandateRows;
  search: string | undefined;
  /** the address of the paged list, which works without JavaScript */
  allHref: string;
  locale: string;
}) => {
  const t = useTranslations("mandates.list");
  const end = useRef<HTMLDivElement>(null);
  const { mandates, hasMore, isLoading } = useMoreMandates(first, search, end);
  return (
    <>
      <ul className={`card ${styles.rows}`} aria-label={t("more")}>
        {mandates.map((mandate) => (
          <MandateRow key={mandate.id} mandate={mandate} locale={locale} />
        ))}
      </ul>
      {hasMore ? (
        <div ref={end} className={styles.end}>
          <ButtonLink href={allHref} size="small">
            {t("allLive")}
          </ButtonLink>
          <span className="tiny" role="status">
            {isLoading ? t("loading") : null}
          </span>
        </div>
      ) : null}
    </>
  );
};

const MandateRow = ({ mandate, locale }: { mandate: WalletMandate; locale: string }) => {
  const t = useTranslations("mandates");
  const { tone, label } = mandateStateLabel(mandate, t);
  const { client, purpose } = mandate;
  return (
    <li className={styles.row}>
      <PartyLogo name={client.name} size="small" />
      <div className={styles.text}>
        <div className={styles.title}>
          <h3 className="small">
            <Link href={`/wallet/mandates/${mandate.id}`}>{client.name}</Link>
          </h3>
          <Pill tone={tone}>{label}</Pill>
        </div>
        <p className={`tiny ${styles.purpose}`}>{purpose || t("noPurpose")}</p>
        <p className={`tiny ${styles.limits}`}>
          <InlineList items={limitLabels(mandate, { locale, t })} />
        </p>
      </div>
      <StopMandate mandate={toStoppable(mandate, { locale, t })} />
    </li>
  );
};
