import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { SignInForm } from "#components/sign-in/sign-in-form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeReturnTo } from "#server/accounts/rules/return-to.ts";
import { passkeyAcr, passwordAcr } from "#server/accounts/sessions/sessions.ts";
import { findDemoSignIns } from "#server/accounts/sign-in/find-demo-sign-ins.ts";
import { findDestination } from "#server/accounts/sign-in/find-destination.ts";
import { findRequestedAcr } from "#server/oauth/consent/find-requested-acr.ts";
import { currentHasPasskey, currentSession, currentTheme, pageDeps } from "../../page-context.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "Sign in" };

type Query = { return_to?: string | string[]; error?: string | string[]; again?: string };

const one = (value: string | string[] | undefined): string | null => (typeof value === "string" ? value : null);

const introOf = (returnTo: string): string => {
  if (returnTo.startsWith("/consent/"))
    return "An app asks to pay for you. Sign in to see its request. Nothing is allowed until you approve it.";
  if (returnTo.startsWith("/merchant")) return "See the payments, webhooks and apps of your merchant.";
  if (returnTo.startsWith("/operator")) return "See how the service is running, and what needs an operator.";
  return "See which apps and agents can spend your money, and stop them at any time.";
};

/** A note where the client requires one sign-in method. */
const requirementOf = (wanted: string | null, hasNone: boolean) => {
  if (wanted === passwordAcr) return "The app requires you to sign in with your password.";
  if (wanted !== passkeyAcr) return null;
  return hasNone ? (
    <>
      The app requires a passkey, and you don’t have one yet.{" "}
      <Link href="/wallet/security">Add one under Security</Link>, then go back to the app.
    </>
  ) : (
    "The app requires a passkey. A password isn’t enough."
  );
};

/** Where the passkey button is. Without a session, a cookie says whether this browser used a passkey before. */
const passkeyPlace = async (wanted: string | null): Promise<"first" | "second" | "never"> => {
  if (wanted === passwordAcr) return "never";
  const hasUsed = (await cookies()).get("passkey")?.value === "1";
  return wanted === passkeyAcr || hasUsed || (await currentHasPasskey()) ? "first" : "second";
};

const SignInPage = async ({ searchParams }: { searchParams: Promise<Query> }) => {
  const query = await searchParams;
  const deps = await pageDeps();
  const returnTo = safeReturnTo(one(query.return_to));
  // `again`: the session is valid, but the next step needs a recent proof of identity.
  const session = query.again ? null : await currentSession();
  if (session) redirect(await findDestination(deps, { accountId: session.account.id, returnTo }));
  const wanted = await findRequestedAcr(deps, { returnTo });
  const [openSession, hasPasskey, theme, passkey, demo] = await Promise.all([
    currentSession(),
    currentHasPasskey(),
    currentTheme(),
    passkeyPlace(wanted),
    findDemoSignIns(deps),
  ]);
  const requirement = requirementOf(wanted, openSession !== null && !hasPasskey);
  const { environment, statusUrl } = deps.config;
  return (
    <PageFrame width="narrow" environment={environment} theme={theme} statusUrl={statusUrl}>
      <section className={`card ${styles.box}`}>
        <div>
          <h1>Sign in</h1>
          <p className="muted small">{introOf(returnTo)}</p>
        </div>
        {requirement ? <Notice tone="note">{requirement}</Notice> : null}
        <SignInForm returnTo={returnTo} error={one(query.error)} passkey={passkey} demo={demo} />
      </section>
    </PageFrame>
  );
};

export default SignInPage;
