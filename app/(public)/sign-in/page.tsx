import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { SignInForm } from "#components/sign-in/sign-in-form.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { passkeyAcr, passwordAcr } from "#server/accounts/sessions/sessions.ts";
import { findDemoSignIns } from "#server/accounts/sign-in/find-demo-sign-ins.ts";
import { findDestination } from "#server/accounts/sign-in/find-destination.ts";
import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { findRequestedAcr } from "#server/oauth/consent/find-requested-acr.ts";
import { currentHasPasskey, currentLocale, currentSession, pageDeps } from "../../page-context.ts";
import { AccountFrame } from "../account-frame.tsx";
import { onlyOne } from "../page-query.ts";
import { SignUpLink } from "../sign-up-link.tsx";
import { typedEmail } from "../typed-email.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "sign-in")("title"),
});

type SignInTexts = Translator<"sign-in">;

const introOf = (returnTo: string, t: SignInTexts): string => {
  if (returnTo.startsWith("/consent/")) return t("introConsent");
  if (returnTo.startsWith("/merchant")) return t("introMerchant");
  if (returnTo.startsWith("/operator")) return t("introOperator");
  return t("introWallet");
};

/** A note if the client requires a particular sign-in method. */
const requirementOf = (wanted: string | null, hasNone: boolean, t: SignInTexts): ReactNode => {
  if (wanted === passwordAcr) return t("passwordRequired");
  if (wanted !== passkeyAcr) return null;
  return hasNone
    ? t.rich("passkeyMissing", { link: (text) => <Link href="/wallet/security">{text}</Link> })
    : t("passkeyRequired");
};

/** The place of the passkey button. A cookie shows whether this browser used a passkey in an earlier session. */
const passkeyPlace = async (wanted: string | null): Promise<"first" | "second" | "never"> => {
  if (wanted === passwordAcr) return "never";
  const hasUsed = (await cookies()).get("passkey")?.value === "1";
  return wanted === passkeyAcr || hasUsed || (await currentHasPasskey()) ? "first" : "second";
};

const SignInPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const query = await searchParams;
  const deps = await pageDeps();
  const returnTo = safeReturnTo(onlyOne(query, "return_to"));
  // `again`: the session is valid, but the next step requires a recent authentication.
  const session = query["again"] ? null : await currentSession();
  if (session) redirect(await findDestination(deps, { accountId: session.account.id, returnTo }));
  const wanted = await findRequestedAcr(deps, { returnTo });
  const [openSession, hasPasskey, passkey, demo, locale] = await Promise.all([
    currentSession(),
    currentHasPasskey(),
    passkeyPlace(wanted),
    findDemoSignIns(deps),
    currentLocale(),
  ]);
  const t = translator(locale, "sign-in");
  const requirement = requirementOf(wanted, openSession !== null && !hasPasskey, t);
  return (
    <AccountFrame
      title={t("title")}
      intro={openSession ? t("introAgain", { email: openSession.account.email }) : introOf(returnTo, t)}
      areas={["sign-in", "passkey"]}
    >
      {requirement ? <Notice tone="note">{requirement}</Notice> : null}
      <SignInForm
        returnTo={returnTo}
        error={onlyOne(query, "error")}
        email={(await typedEmail()) ?? openSession?.account.email}
        passkey={passkey}
        demo={demo}
      />
      <SignUpLink returnTo={returnTo} />
    </AccountFrame>
  );
};

export default SignInPage;
