import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../page-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "wallet")("notFound"),
});

const NotFound = async () => {
  const t = translator(await currentLocale(), "wallet");
  return (
    <EmptyState isPage title={t("notFound")} act={<ButtonLink href="/wallet">{t("nav.home")}</ButtonLink>}>
      {t("notFoundText")}
    </EmptyState>
  );
};

export default NotFound;
