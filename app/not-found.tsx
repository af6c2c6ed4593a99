import type { Metadata } from "next";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentTheme, pageConfig, visitorLocale } from "./page-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await visitorLocale(), "wallet")("notFound"),
});

const NotFound = async () => {
  const [config, theme, locale] = await Promise.all([pageConfig(), currentTheme(), visitorLocale()]);
  const t = translator(locale, "wallet");
  // The status process may have another host and also shows this page, so the links of the frame are absolute.
  const origin = config.baseUrl;
  const demo = `${config.environment === "sandbox" ? origin : config.sandboxUrl}/demo`;
  return (
    <PageFrame
      width="narrow"
      environment={config.environment}
      theme={theme}
      statusUrl={config.statusUrl}
      locale={locale}
      origin={origin}
      aside={<SiteLinks demoUrl={demo} origin={origin} locale={locale} isSignUpOpen={config.signUp === "open"} />}
    >
      <EmptyState isPage title={t("notFound")} act={<ButtonLink href="/">{t("goToStart")}</ButtonLink>}>
        {t("notFoundText")}
      </EmptyState>
    </PageFrame>
  );
};

export default NotFound;
