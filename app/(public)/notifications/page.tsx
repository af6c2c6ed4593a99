import type { Metadata } from "next";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { getNotificationByLink } from "#server/accounts/notifications/get-notification-by-link.ts";
import { isDomainError } from "#server/kernel/errors.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale, pageDeps } from "../../page-context.ts";
import { AccountFrame } from "../account-frame.tsx";
import { onlyOne } from "../page-query.ts";

type Props = { searchParams: Promise<SearchParams> };

/** Loaded once per request, for the title and the page. */
const findChoice = cache(async (token: string) => {
  try {
    return await getNotificationByLink(await pageDeps(), { token });
  } catch (error) {
    if (isDomainError(error)) return null;
    throw error;
  }
});

// The URL contains a token, so it must not be indexed. Our `referrer-policy` hides it from other sites.
export const generateMetadata = async ({ searchParams }: Props): Promise<Metadata> => {
  const choice = await findChoice(onlyOne(await searchParams, "token") ?? "");
  const t = translator(choice?.locale ?? (await currentLocale()), "notifications");
  const title = choice ? t("link.title", { kind: t(`kinds.${choice.kind}`) }) : t("link.goneTitle");
  return { title: pageTitle(title), robots: { index: false } };
};

/**
 * A link in an e-mail opens this page in the recipient's language. Opening it changes nothing, because mail scanners
 * open links.
 */
const MailChoicePage = async ({ searchParams }: Props) => {
  const query = await searchParams;
  const token = onlyOne(query, "token") ?? "";
  const choice = await findChoice(token);
  const t = translator(choice?.locale ?? (await currentLocale()), "notifications");
  const all = (
    <ButtonLink href="/wallet/notifications" isWide>
      {t("link.all")}
    </ButtonLink>
  );
  if (!choice) {
    return (
      <AccountFrame title={t("link.goneTitle")} intro={t("link.goneText")}>
        {all}
      </AccountFrame>
    );
  }
  const { kind, isOn, locale } = choice;
  return (
    <AccountFrame title={t(`kinds.${kind}`)} intro={t(`notes.${kind}`)} locale={locale}>
      {onlyOne(query, "saved") === null ? (
        <p>{t(isOn ? "link.on" : "link.off")}</p>
      ) : (
        <Notice tone="good">{t(isOn ? "link.on" : "link.off")}</Notice>
      )}
      <form method="post" action="/notifications/choice">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="choice" value={isOn ? "off" : "on"} />
        <SubmitButton variant="primary" isWide>
          {t(isOn ? "link.stop" : "link.start")}
        </SubmitButton>
      </form>
      {all}
    </AccountFrame>
  );
};

export default MailChoicePage;
