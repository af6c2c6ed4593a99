import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ResetRequestForm } from "#components/sign-in/reset-request-form.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { AccountFrame } from "../account-frame.tsx";
import { accountTexts } from "../account-texts.ts";
import { onlyOne, pageWithReturn } from "../page-query.ts";
import { SignUpLink } from "../sign-up-link.tsx";
import { typedEmail } from "../typed-email.ts";

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await accountTexts())("reset.title") });

const ResetPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, t] = await Promise.all([searchParams, accountTexts()]);
  const returnTo = safeReturnTo(onlyOne(query, "return_to"));
  const back = (
    <p className="small">
      <Link href={pageWithReturn("/sign-in", returnTo)}>{t("backToSignIn")}</Link>
    </p>
  );
  if (onlyOne(query, "sent") !== null) {
    return (
      <AccountFrame title={t("reset.sentTitle")} intro={t("reset.sentText")}>
        <Notice tone="note">{t("reset.sentHint")}</Notice>
        <p className="small">
          <Link href={pageWithReturn("/reset", returnTo)}>{t("reset.again")}</Link>
        </p>
        {back}
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={t("reset.title")} intro={t("reset.intro")}>
      <ResetRequestForm returnTo={returnTo} error={onlyOne(query, "error")} email={await typedEmail()} />
      {back}
      <SignUpLink returnTo={returnTo} />
    </AccountFrame>
  );
};

export default ResetPage;
