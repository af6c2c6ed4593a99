import type { Metadata } from "next";
import { Messages } from "#components/format/messages.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import styles from "#components/wallet/account/account.module.css";
import { NotificationChoice } from "#components/wallet/account/notification-choice.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "notifications")("title"),
});

const required = ["approvals", "announced", "security", "privacy"] as const;

const NotificationsPage = async () => {
  const { api, reader, email } = await portalPage("/wallet/notifications");
  const choices = await api.notifications.list();
  const t = translator(reader.locale, "notifications");
  return (
    <Messages locale={reader.locale} areas={["notifications"]}>
      <PageHead title={t("title")}>{t("intro", { email })}</PageHead>
      <Section title={t("optional")}>
        <div className={`card ${styles.choices}`}>
          {choices.map((choice) => (
            <NotificationChoice key={choice.kind} {...choice} />
          ))}
        </div>
      </Section>
      <Section title={t("always")}>
        <p className={`small muted ${styles.text}`}>{t("requiredText")}</p>
        <ul className={`small ${styles.plain}`}>
          {required.map((kind) => (
            <li key={kind}>{t(`required.${kind}`)}</li>
          ))}
        </ul>
      </Section>
    </Messages>
  );
};

export default NotificationsPage;
