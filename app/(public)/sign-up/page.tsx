import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import type { Method } from "#components/sign-up/method-fields.tsx";
import { SignUpForm } from "#components/sign-up/sign-up-form.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { signUpDraft } from "#server/accounts/drafts/sign-up-draft.ts";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { passkeyAcr, passwordAcr } from "#server/accounts/sessions/sessions.ts";
import { findDestination } from "#server/accounts/sign-in/find-destination.ts";
import { admitSignUp } from "#server/accounts/sign-up/admit-sign-up.ts";
import { findRequestedAcr } from "#server/oauth/consent/find-requested-acr.ts";
import { currentCookies, currentSession, pageDeps } from "../../page-context.ts";
import { onlyOne, pageWithReturn } from "../page-query.ts";
import { typedEmail } from "../typed-email.ts";
import { signUpTexts } from "./sign-up-context.ts";
import { SignUpFrame } from "./sign-up-frame.tsx";

export const generateMetadata = async (): Promise<Metadata> => ({ title: pageTitle((await signUpTexts())("title")) });

const introOf = (returnTo: string, t: Awaited<ReturnType<typeof signUpTexts>>): string => {
  if (returnTo.startsWith("/consent/")) return t("introConsent");
  return t(returnTo.startsWith("/merchant") || returnTo.startsWith("/invitations/") ? "introMerchant" : "intro");
};

const SignUpPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [query, deps, session, t] = await Promise.all([searchParams, pageDeps(), currentSession(), signUpTexts()]);
  const returnTo = safeReturnTo(onlyOne(query, "return_to"));
  if (session) redirect(await findDestination(deps, { accountId: session.account.id, returnTo }));
  const invitation = onlyOne(query, "invitation");
  const [admission, onlyMethod, cookieHeader] = await Promise.all([
    admitSignUp(deps, { returnTo, invitation }),
    requiredMethod(returnTo),
    currentCookies(),
  ]);
  const signIn = pageWithReturn("/sign-in", returnTo);
  if (admission.kind === "refused") {
    const isClosed = admission.reason === "closed";
    return (
      <SignUpFrame
        title={t(isClosed ? "closedTitle" : "inviteOnlyTitle")}
        intro={t(isClosed ? "closed" : "inviteOnly")}
      >
        <ButtonLink href={signIn}>{t("signIn")}</ButtonLink>
      </SignUpFrame>
    );
  }
  return (
    <SignUpFrame title={t("title")} intro={introOf(returnTo, t)}>
      {onlyOne(query, "error") === "sign_up_gone" ? <Notice tone="note">{t("gone")}</Notice> : null}
      <SignUpForm
        returnTo={returnTo}
        invitation={invitation}
        invited={admission.invited}
        onlyMethod={onlyMethod}
        draft={signUpDraft.open(deps, cookieHeader)}
        typedEmail={await typedEmail()}
      />
      <p className="small">
        {t.rich("signInLink", {
          link: (text) => <Link href={signIn}>{text}</Link>,
        })}
      </p>
    </SignUpFrame>
  );
};

/** The method that the app requires of the payer; null if it accepts both. */
const requiredMethod = async (returnTo: string): Promise<Method | null> => {
  const acr = await findRequestedAcr(await pageDeps(), { returnTo });
  if (acr === passkeyAcr) return "passkey";
  return acr === passwordAcr ? "password" : null;
};

export default SignUpPage;
