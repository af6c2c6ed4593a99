import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "upcoming")("notice.notFound"),
});

const NotFound = async () => {
  const t = translator(await currentLocale(), "upcoming");
  return (
    <EmptyState
      isPage
      title={t("notice.notFound")}
      act={<ButtonLink href="/wallet/upcoming">{t("notice.back")}</ButtonLink>}
    >
      {t("notice.notFoundText")}
    </EmptyState>
  );
};

export default NotFound;
