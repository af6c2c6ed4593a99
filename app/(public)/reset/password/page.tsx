import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { NewPasswordForm } from "#components/sign-in/new-password-form.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { findReset } from "#server/accounts/password-reset/find-reset.ts";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { pageDeps } from "../../../page-context.ts";
import { AccountFrame } from "../../account-frame.tsx";
import { accountTexts } from "../../account-texts.ts";
import { onlyOne, pageWithReturn } from "../../page-query.ts";

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await accountTexts())("newPassword.title") });

/** A reset link opens this page. Opening it changes nothing, because mail scanners open links. */
const NewPasswordPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, deps, t] = await Promise.all([searchParams, pageDeps(), accountTexts()]);
  const returnTo = safeReturnTo(onlyOne(query, "return_to"));
  const token = onlyOne(query, "token") ?? "";
  const found = await findReset(deps, { token });
  if (!found) {
    return (
      <AccountFrame title={t("newPassword.goneTitle")} intro={t("newPassword.goneText")}>
        <ButtonLink variant="primary" isWide href={pageWithReturn("/reset", returnTo)}>
          {t("newPassword.requestNew")}
        </ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={t("newPassword.title")} intro={t("newPassword.intro", { email: found.email })}>
      <NewPasswordForm token={token} email={found.email} returnTo={returnTo} error={onlyOne(query, "error")} />
    </AccountFrame>
  );
};

export default NewPasswordPage;
