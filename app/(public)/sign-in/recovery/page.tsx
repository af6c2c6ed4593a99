import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { RecoveryForm } from "#components/sign-in/recovery-form.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { AccountFrame } from "../../account-frame.tsx";
import { accountTexts } from "../../account-texts.ts";
import { onlyOne, pageWithReturn } from "../../page-query.ts";
import { SignUpLink } from "../../sign-up-link.tsx";
import { typedEmail } from "../../typed-email.ts";

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await accountTexts())("recovery.title") });

const RecoveryPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, t] = await Promise.all([searchParams, accountTexts()]);
  const returnTo = safeReturnTo(onlyOne(query, "return_to"));
  return (
    <AccountFrame title={t("recovery.title")} intro={t("recovery.intro")}>
      <RecoveryForm returnTo={returnTo} error={onlyOne(query, "error")} email={await typedEmail()} />
      <p className="small">
        <Link href={pageWithReturn("/sign-in", returnTo)}>{t("backToSignIn")}</Link>
      </p>
      <SignUpLink returnTo={returnTo} />
    </AccountFrame>
  );
};

export default RecoveryPage;
