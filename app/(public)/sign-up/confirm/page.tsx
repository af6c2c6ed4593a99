import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { findSignUpOfLink } from "#server/accounts/sign-up/confirm-sign-up.ts";
import { defaultLocales, languageOf } from "#server/kernel/messages/languages.ts";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { pageDeps } from "../../../page-context.ts";
import { onlyOne } from "../../page-query.ts";
import { signUpTexts } from "../sign-up-context.ts";
import { SignUpFrame } from "../sign-up-frame.tsx";

export const generateMetadata = async ({ searchParams }: Props): Promise<Metadata> => {
  const t = await signUpTexts();
  const isDone = onlyOne(await searchParams, "done") !== null;
  return { title: pageTitle(t(isDone ? "confirmedTitle" : "linkTitle")), robots: { index: false } };
};

type Props = { searchParams: Promise<SearchParams> };

/** The link in the e-mail opens this page. Opening it verifies nothing, because mail scanners open links. */
const ConfirmPage = async ({ searchParams }: Props) => {
  const [query, deps, t] = await Promise.all([searchParams, pageDeps(), signUpTexts()]);
  const isDone = onlyOne(query, "done") !== null;
  const token = onlyOne(query, "token");
  const pending = isDone || token === null ? null : await findSignUpOfLink(deps, token);
  if (pending?.verifiedAt === null) {
    const { displayName, email, userAgent, createdAt, locale, timeZone } = pending;
    const begun = [
      formatDateTime(createdAt, { locale: defaultLocales[languageOf(locale)], timeZone }),
      deviceName(userAgent),
    ]
      .filter(Boolean)
      .join(", ");
    return (
      <SignUpFrame title={t("linkTitle")} intro={t("linkIntro")}>
        <Facts>
          <Fact name={t("linkName")}>{displayName}</Fact>
          <Fact name={t("linkEmail")}>{email}</Fact>
          <Fact name={t("linkDevice")}>{begun}</Fact>
        </Facts>
        <form method="post" action="/sign-up/confirmation">
          <input type="hidden" name="token" value={token ?? ""} />
          <SubmitButton variant="primary" isWide>
            {t("linkSubmit")}
          </SubmitButton>
        </form>
      </SignUpFrame>
    );
  }
  const isConfirmed = isDone || pending !== null;
  return (
    <SignUpFrame
      title={t(isConfirmed ? "confirmedTitle" : "linkExpiredTitle")}
      intro={t(isConfirmed ? "linkDone" : "linkExpired")}
    >
      {isConfirmed ? null : (
        <ButtonLink href="/sign-up" variant="primary">
          {t("signUpAgain")}
        </ButtonLink>
      )}
      <ButtonLink href="/sign-in">{t("signIn")}</ButtonLink>
    </SignUpFrame>
  );
};

export default ConfirmPage;
