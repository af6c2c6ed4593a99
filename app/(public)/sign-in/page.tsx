import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Messages } from "#components/format/messages.tsx";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { SignInForm } from "#components/sign-in/sign-in-form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { passkeyAcr, passwordAcr } from "#server/accounts/sessions/sessions.ts";
import { findDemoSignIns } from "#server/accounts/sign-in/find-demo-sign-ins.ts";
import { findDestination } from "#server/accounts/sign-in/find-destination.ts";
import { admitSignUp } from "#server/accounts/sign-up/admit-sign-up.ts";
import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { findRequestedAcr } from "#server/oauth/consent/find-requested-acr.ts";
import {
  currentHasPasskey,
  currentLanguageChoice,
  currentLocale,
  currentSession,
  currentTheme,
  pageDeps,
} from "../../page-context.ts";
import styles from "./page.module.css";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "sign-in")("title"),
});

type Query = { return_to?: string | string[]; error?: string | string[]; again?: string };

const one = (value: string | string[] | undefined): string | null => (typeof value === "string" ? value : null);

type SignInTexts = Translator<"sign-in">;

const introOf = (returnTo: string, t: SignInTexts): string => {
  if (returnTo.startsWith("/consent/")) return t("introConsent");
  if (returnTo.startsWith("/merchant")) return t("introMerchant");
  if (returnTo.startsWith("/operator")) return t("introOperator");
  return t("introWallet");
};

/** A note where the client requires one sign-in method. */
const requirementOf = (wanted: string | null, hasNone: boolean, t: SignInTexts): ReactNode => {
  if (wanted === passwordAcr) return t("passwordRequired");
  if (wanted !== passkeyAcr) return null;
  return hasNone
    ? t.rich("passkeyMissing", { link: (text) => <Link href="/wallet/security">{text}</Link> })
    : t("passkeyRequired");
};

/** Where the passkey button is. Without a session, a cookie says whether this browser used a passkey before. */
const passkeyPlace = async (wanted: string | null): Promise<"first" | "second" | "never"> => {
  if (wanted === passwordAcr) return "never";
  const hasUsed = (await cookies()).get("passkey")?.value === "1";
  return wanted === passkeyAcr || hasUsed || (await currentHasPasskey()) ? "first" : "second";
};

const SignUpLink = ({ returnTo, locale }: { returnTo: string; locale: string }) => (
  <p className="small">
    {translator(locale, "sign-up").rich("link", {
      link: (text) => (
        <Link href={`/sign-up?${new URLSearchParams({ return_to: returnTo })}`} prefetch={false}>
          {text}
        </Link>
      ),
    })}
  </p>
);

const SignInPage = async ({ searchParams }: { searchParams: Promise<Query> }) => {
  const query = await searchParams;
  const deps = await pageDeps();
  const returnTo = safeReturnTo(one(query.return_to));
  // `again`: the session is valid, but the next step needs a recent proof of identity.
  const session = query.again ? null : await currentSession();
  if (session) redirect(await findDestination(deps, { accountId: session.account.id, returnTo }));
  const wanted = await findRequestedAcr(deps, { returnTo });
  const [openSession, hasPasskey, theme, passkey, demo, locale, languageChoice] = await Promise.all([
    currentSession(),
    currentHasPasskey(),
    currentTheme(),
    passkeyPlace(wanted),
    findDemoSignIns(deps),
    currentLocale(),
    currentLanguageChoice(),
  ]);
  const t = translator(locale, "sign-in");
  // The person of an open session has an account.
  const admission = openSession ? null : await admitSignUp(deps, { returnTo, invitation: null });
  const requirement = requirementOf(wanted, openSession !== null && !hasPasskey, t);
  const { environment, statusUrl } = deps.config;
  const frame = { environment, theme, statusUrl, locale, languageChoice };
  return (
    <PageFrame width="narrow" {...frame}>
      <section className={`card ${styles.box}`}>
        <div>
          <h1>{t("title")}</h1>
          <p className="muted small">{introOf(returnTo, t)}</p>
        </div>
        {requirement ? <Notice tone="note">{requirement}</Notice> : null}
        <Messages locale={locale} areas={["sign-in", "passkey"]}>
          <SignInForm returnTo={returnTo} error={one(query.error)} passkey={passkey} demo={demo} />
        </Messages>
        {admission?.kind === "admitted" ? <SignUpLink returnTo={returnTo} locale={locale} /> : null}
      </section>
    </PageFrame>
  );
};

export default SignInPage;
