import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "mandates")("page.notFound"),
});

const NotFound = async () => {
  const t = translator(await currentLocale(), "mandates");
  return (
    <EmptyState
      isPage
      title={t("page.notFound")}
      act={<ButtonLink href="/wallet/mandates">{t("page.back")}</ButtonLink>}
    >
      {t("page.notFoundText")}
    </EmptyState>
  );
};

export default NotFound;
