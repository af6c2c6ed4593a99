import type { Metadata } from "next";
import { formatDate, formatDateTime } from "#components/format/dates.ts";
import { Messages } from "#components/format/messages.tsx";
import type { Reader } from "#components/format/reader.ts";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { WholeWords } from "#components/ui/whole-words.tsx";
import styles from "#components/wallet/account/account.module.css";
import { PreparingExport, RequestExport } from "#components/wallet/account/data-export.tsx";
import { DeleteAccount } from "#components/wallet/account/delete-account.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { addSeconds } from "#server/kernel/time/clock.ts";
import { coolingOffSeconds } from "#server/privacy/rules/periods.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "privacy")("title"),
});

const PrivacyPage = async () => {
  const { api, reader, email, now } = await portalPage("/wallet/privacy");
  const { exports, deletedOn } = await api.privacy.overview();
  const t = translator(reader.locale, "privacy");
  const dateOf = (at: Date) => formatDate(at, reader);
  return (
    <Messages locale={reader.locale} areas={["privacy"]}>
      <PageHead title={t("title")}>{t("intro")}</PageHead>
      <Section title={t("exportTitle")}>
        <div className={styles.stack}>
          <p className={`small ${styles.text}`}>
            <WholeWords>{t("exportText")}</WholeWords>
          </p>
          {exports.some(({ isReady }) => !isReady) ? null : <RequestExport email={email} />}
        </div>
        {exports.length > 0 ? <ExportList exports={exports} reader={reader} /> : null}
      </Section>
      <Section title={t("deleteTitle")}>
        <div className={styles.stack}>
          {deletedOn === null ? (
            <>
              <p className={`small ${styles.text}`}>
                <WholeWords>{t("deleteText")}</WholeWords>
              </p>
              <DeleteAccount email={email} deletedOn={dateOf(addSeconds(now, coolingOffSeconds))} />
            </>
          ) : null}
        </div>
      </Section>
      <Section title={t("keptTitle")}>
        <p className={`small ${styles.text}`}>
          <WholeWords>{t("keptText")}</WholeWords>
        </p>
        <ul className={`small ${styles.plain}`}>
          <li>{t("keptPayments")}</li>
          <li>{t("keptMandates")}</li>
          <li>{t("keptAudit")}</li>
        </ul>
      </Section>
    </Messages>
  );
};

type Exports = Awaited<ReturnType<Awaited<ReturnType<typeof portalPage>>["api"]["privacy"]["overview"]>>["exports"];

const ExportList = ({ exports, reader }: { exports: Exports; reader: Reader }) => {
  const t = translator(reader.locale, "privacy");
  return (
    <ItemList>
      {exports.map(({ id, requestedAt, isReady, expiresAt }) => {
        const at = formatDateTime(new Date(requestedAt), reader);
        return (
          <Item
            key={id}
            icon="list"
            title={t("requested", { at })}
            note={isReady ? t("until", { at: formatDateTime(new Date(expiresAt), reader) }) : null}
            act={
              isReady ? (
                <a href={`/wallet/privacy/exports/${id}`} download aria-label={t("downloadOf", { at })}>
                  {t("download")}
                </a>
              ) : (
                <PreparingExport />
              )
            }
          />
        );
      })}
    </ItemList>
  );
};

export default PrivacyPage;
