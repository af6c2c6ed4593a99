import type { Metadata } from "next";
import { cache } from "react";
import { formatDateTime } from "#components/format/dates.ts";
import { mandateName } from "#components/format/labels/mandate-labels.ts";
import { Messages } from "#components/format/messages.tsx";
import { formatAmount } from "#components/format/money.ts";
import type { Reader } from "#components/format/reader.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { PauseMandate } from "#components/wallet/mandates/mandate-actions.tsx";
import { isExpected, NoticeState } from "#components/wallet/notices/notice-table.tsx";
import styles from "#components/wallet/notices/notices.module.css";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletNotice } from "#server/trpc/wallet/views.ts";
import { orNotFound, portalPage } from "../../../portal-context.ts";

type Props = { params: Promise<{ id: string }> };

/** Cached per request, because the title and the page both need the data. */
const loadNotice = cache(async (id: string) => {
  const page = await portalPage(`/wallet/upcoming/${encodeURIComponent(id)}`);
  return { ...page, notice: await orNotFound(page.api.wallet.notice({ noticeId: id })) };
});

const titleOf = (notice: WalletNotice, reader: Reader): string =>
  translator(reader.locale, "upcoming")(notice.status === "announced" ? "notice.title" : "notice.titlePast", {
    merchant: notice.merchant.name,
    amount: formatAmount(notice.amountMinor, notice.currency, reader),
  });

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { notice, reader } = await loadNotice((await params).id);
  return { title: pageTitle(titleOf(notice, reader)) };
};

/** The link in the e-mail opens this page. Only the button on the page pauses the mandate. */
const NoticePage = async ({ params }: Props) => {
  const { notice, reader } = await loadNotice((await params).id);
  const t = translator(reader.locale, "upcoming");
  const { mandate, client, chargeId } = notice;
  const isPaused = isExpected(notice) && mandate.isPausedByPayer;
  const when = (at: string) => formatDateTime(new Date(at), reader);
  return (
    <Messages locale={reader.locale} areas={["mandates"]}>
      <PageHead title={titleOf(notice, reader)} state={<NoticeState notice={notice} reader={reader} />}>
        {t("notice.by", { agent: client.name })}
      </PageHead>
      <Notice tone={notice.status === "announced" ? (isPaused ? "warn" : "note") : "good"} isLive>
        {isPaused
          ? t("notice.status.announcedPaused", { merchant: notice.merchant.name })
          : t(`notice.status.${notice.status}`)}
      </Notice>
      <Facts>
        <Fact name={t("notice.due")}>{when(notice.dueAt)}</Fact>
        <Fact name={t("notice.reference")}>{notice.reference ?? t("notice.noReference")}</Fact>
        <Fact name={t("notice.mandate")}>
          <Link href={`/wallet/mandates/${mandate.id}`}>{mandateName({ client, purpose: mandate.purpose })}</Link>
        </Fact>
        <Fact name={t("notice.announced")}>{when(notice.createdAt)}</Fact>
      </Facts>
      {isExpected(notice) ? (
        <section className={`card ${styles.act}`}>
          <h2>{t("notice.pauseTitle")}</h2>
          <p className="small muted">{t("notice.pauseText")}</p>
          <div className={styles.state}>
            <PauseMandate mandateId={mandate.id} isPaused={isPaused} label={t("notice.pauseTitle")} />
          </div>
        </section>
      ) : null}
      <div className={styles.state}>
        {chargeId === null ? null : (
          <ButtonLink href={`/wallet/activity/${chargeId}`} size="small">
            {t("notice.seeCharge")}
          </ButtonLink>
        )}
        <ButtonLink href="/wallet/upcoming" size="small">
          {t("notice.back")}
        </ButtonLink>
      </div>
    </Messages>
  );
};

export default NoticePage;
