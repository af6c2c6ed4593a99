import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ButtonLink, SubmitButton } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { findEmailChangeOfLink } from "#server/accounts/email-change/find-email-change-of-link.ts";
import { pageDeps } from "../../page-context.ts";
import { AccountFrame } from "../account-frame.tsx";
import { accountTexts } from "../account-texts.ts";
import { onlyOne } from "../page-query.ts";

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await accountTexts())("emailChange.title") });

/** The link that is sent to a new e-mail address opens this page. Only the button on the page makes the change. */
const EmailChangePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, deps, t] = await Promise.all([searchParams, pageDeps(), accountTexts()]);
  const profile = (
    <ButtonLink isWide href="/wallet/profile">
      {t("emailChange.toProfile")}
    </ButtonLink>
  );
  if (onlyOne(query, "done") !== null) {
    return (
      <AccountFrame title={t("emailChange.doneTitle")} intro={t("emailChange.doneText")}>
        {profile}
      </AccountFrame>
    );
  }
  if (onlyOne(query, "error") === "email_taken") {
    return (
      <AccountFrame title={t("emailChange.takenTitle")} intro={t("emailChange.takenText")}>
        {profile}
      </AccountFrame>
    );
  }
  const token = onlyOne(query, "token") ?? "";
  const change = await findEmailChangeOfLink(deps, { token });
  if (!change) {
    return (
      <AccountFrame title={t("emailChange.goneTitle")} intro={t("emailChange.goneText")}>
        {profile}
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={t("emailChange.title")} intro={t("emailChange.intro", { email: change.email })}>
      <Facts>
        <Fact name={t("emailChange.account")}>{change.account.displayName}</Fact>
        <Fact name={t("emailChange.current")}>{change.account.maskedEmail}</Fact>
      </Facts>
      <p className="muted small">{t("emailChange.onlyYours")}</p>
      <form method="post" action="/email-change/confirm">
        <input type="hidden" name="token" value={token} />
        <SubmitButton variant="primary" isWide>
          {t("emailChange.confirm")}
        </SubmitButton>
      </form>
    </AccountFrame>
  );
};

export default EmailChangePage;
