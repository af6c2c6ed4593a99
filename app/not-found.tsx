import type { Metadata } from "next";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLanguageChoice, currentLocale, currentTheme, pageConfig } from "./page-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "wallet")("notFound"),
});

const NotFound = async () => {
  const [config, theme, locale, languageChoice] = await Promise.all([
    pageConfig(),
    currentTheme(),
    currentLocale(),
    currentLanguageChoice(),
  ]);
  const t = translator(locale, "wallet");
  const demo = config.environment === "sandbox" ? "/demo" : `${config.sandboxUrl}/demo`;
  return (
    <PageFrame
      width="narrow"
      environment={config.environment}
      theme={theme}
      statusUrl={config.statusUrl}
      locale={locale}
      languageChoice={languageChoice}
      aside={<SiteLinks demoUrl={demo} locale={locale} />}
    >
      <EmptyState isPage title={t("notFound")} act={<ButtonLink href="/">{t("goToStart")}</ButtonLink>}>
        {t("notFoundText")}
      </EmptyState>
    </PageFrame>
  );
};

export default NotFound;
