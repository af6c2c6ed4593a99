import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { Messages } from "#components/format/messages.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { HistoryList } from "#components/wallet/security/history-list.tsx";
import { PasskeyList } from "#components/wallet/security/passkey-list.tsx";
import { PasswordActions } from "#components/wallet/security/password-actions.tsx";
import { CreateRecoveryCodes } from "#components/wallet/security/recovery-codes.tsx";
import styles from "#components/wallet/security/security.module.css";
import { SessionList } from "#components/wallet/security/session-list.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "security")("title"),
});

/** If fewer recovery codes than this are left, the page shows a warning. */
const fewCodes = 3;

const SecurityPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const startingAfter = searchId(await searchParams, "after");
  const { api, email, reader } = await portalPage("/wallet/security");
  const [passkeys, sessions, overview, history] = await Promise.all([
    api.passkeys.list(),
    api.auth.sessions(),
    api.security.overview(),
    api.security.signIns(startingAfter === undefined ? {} : { startingAfter }),
  ]);
  const t = translator(reader.locale, "security");
  const { hasPassword, recoveryCodes } = overview;
  const isLow = (recoveryCodes?.left ?? 0) < fewCodes && passkeys.length > 0;
  return (
    <Messages locale={reader.locale} areas={["security"]}>
      <PageHead title={t("title")}>{t("intro", { zone: reader.timeZone.replaceAll("_", " ") })}</PageHead>
      <Section title={t("passkeys.title")}>
        <PasskeyList passkeys={passkeys} email={email} hasPassword={hasPassword} reader={reader} />
      </Section>
      <Section title={t("password.title")}>
        <div className={`card ${styles.row}`}>
          <p className="small">{t(hasPassword ? "password.isSet" : "password.isMissing")}</p>
          <PasswordActions email={email} hasPassword={hasPassword} hasPasskey={passkeys.length > 0} />
        </div>
      </Section>
      <Section title={t("codes.title")}>
        {isLow ? <Notice tone="warn">{t(recoveryCodes ? "codes.few" : "codes.none")}</Notice> : null}
        <div className={`card ${styles.row}`}>
          <p className="small">
            {recoveryCodes
              ? t("codes.left", {
                  left: recoveryCodes.left,
                  date: formatDateTime(new Date(recoveryCodes.createdAt), reader),
                })
              : t("codes.none")}
          </p>
          <CreateRecoveryCodes email={email} left={recoveryCodes?.left ?? null} />
        </div>
      </Section>
      <SessionList sessions={sessions} reader={reader} />
      <Section title={t("history.title")}>
        <HistoryList history={history} isFirstPage={startingAfter === undefined} reader={reader} />
      </Section>
    </Messages>
  );
};

export default SecurityPage;
