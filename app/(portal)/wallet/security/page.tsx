import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { Messages } from "#components/format/messages.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
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

const codesNotice = (codes: { left: number } | null): "codes.none" | "codes.used" | "codes.few" => {
  if (codes === null) return "codes.none";
  return codes.left === 0 ? "codes.used" : "codes.few";
};

const path = "/wallet/security";

const SecurityPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [after, sessionsAfter] = [searchId(params, "after"), searchId(params, "sessions_after")];
  const { api, email, reader } = await portalPage(path);
  const [passkeys, sessions, overview, history] = await Promise.all([
    api.passkeys.list(),
    api.auth.sessions(sessionsAfter === undefined ? {} : { startingAfter: sessionsAfter }),
    api.security.overview(),
    api.security.signIns(after === undefined ? {} : { startingAfter: after }),
  ]);
  const t = translator(reader.locale, "security");
  // Both lists are paged. The links of one list keep the position in the other list.
  const sessionsAt = (id: string | undefined) => `${listAddress(path, { after, sessions_after: id })}#sessions`;
  const historyAt = (id: string | undefined) =>
    `${listAddress(path, { after: id, sessions_after: sessionsAfter })}#history`;
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
        {isLow ? <Notice tone="warn">{t(codesNotice(recoveryCodes))}</Notice> : null}
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
      <SessionList
        page={sessions}
        newest={sessionsAfter === undefined ? null : sessionsAt(undefined)}
        older={sessionsAt}
        reader={reader}
      />
      <Section id="history" title={t("history.title")}>
        <HistoryList
          history={history}
          newest={after === undefined ? null : historyAt(undefined)}
          older={historyAt}
          reader={reader}
        />
      </Section>
    </Messages>
  );
};

export default SecurityPage;
