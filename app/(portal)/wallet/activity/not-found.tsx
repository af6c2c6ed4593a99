import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "activity")("charge.notFound"),
});

const NotFound = async () => {
  const t = translator(await currentLocale(), "activity");
  return (
    <EmptyState
      isPage
      title={t("charge.notFound")}
      act={<ButtonLink href="/wallet/activity">{t("charge.back")}</ButtonLink>}
    >
      {t("charge.notFoundText")}
    </EmptyState>
  );
};

export default NotFound;
