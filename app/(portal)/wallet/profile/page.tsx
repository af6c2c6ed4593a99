import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { Messages } from "#components/format/messages.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmailForm } from "#components/wallet/profile/email-form.tsx";
import { ProfileForm } from "#components/wallet/profile/profile-form.tsx";
import { languageNames, languages } from "#server/kernel/messages/languages.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { currencies } from "#server/kernel/money/money.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "profile")("title"),
});

const ProfilePage = async () => {
  const { api, reader } = await portalPage("/wallet/profile");
  const { emailChange, email, ...profile } = await api.profile.get();
  const t = translator(reader.locale, "profile");
  const currencyNames = new Intl.DisplayNames(reader.locale, { type: "currency" });
  const waiting = emailChange && {
    email: emailChange.email,
    expires: formatDateTime(new Date(emailChange.expiresAt), reader),
  };
  return (
    <Messages locale={reader.locale} areas={["profile"]}>
      <PageHead title={t("title")}>{t("intro")}</PageHead>
      <Section title={t("detailsTitle")}>
        <ProfileForm
          profile={profile}
          languages={languages.map((value) => ({ value, label: languageNames[value] }))}
          timeZones={["UTC", ...Intl.supportedValuesOf("timeZone")]}
          currencies={currencies.map((value) => ({ value, label: `${value} · ${currencyNames.of(value) ?? value}` }))}
        />
      </Section>
      <Section title={t("emailTitle")}>
        <EmailForm email={email} waiting={waiting} />
      </Section>
    </Messages>
  );
};

export default ProfilePage;
