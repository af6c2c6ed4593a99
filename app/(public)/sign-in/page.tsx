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
import { findWantedProof } from "#server/oauth/consent/find-wanted-proof.ts";
import { currentHasPasskey, currentSession, currentTheme, pageDeps } from "../../page-context.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "Sign in" };

type Query = { return_to?: string | string[]; error?: string | string[]; again?: string };

const one = (value: string | string[] | undefined): string | null => (typeof value === "string" ? value : null);

const introOf = (returnTo: string): string => {
  if (returnTo.startsWith("/consent/"))
    return "An app asks to pay for you. Sign in to see what it asks for; nothing is allowed until you approve it.";
  if (returnTo.startsWith("/merchant")) return "See what was paid to your merchant, and where events are sent.";
  if (returnTo.startsWith("/operator")) return "See how the service runs, and what waits for an operator.";
  return "See what may spend your money, and stop it at any time.";
};

/** What a client asks of how its payer proves who they are, where one way alone will do. */
const wishOf = (wanted: string | null, hasNone: boolean) => {
  if (wanted === passwordAcr) return "The app that asks wants you to enter your password.";
  if (wanted !== passkeyAcr) return null;
  return hasNone ? (
    <>
      The app that asks wants you to use a passkey, and you have none yet.{" "}
      <Link href="/wallet/security">Add one under Security</Link>, then come back to the app.
    </>
  ) : (
    "The app that asks wants you to use a passkey. A password alone won’t do for it."
  );
};

/** A session tells whether its account has a passkey; before there is one, this browser may remember that it used one. */
const placeOf = async (wanted: string | null): Promise<"first" | "second" | "never"> => {
  if (wanted === passwordAcr) return "never";
  const hasUsed = (await cookies()).get("passkey")?.value === "1";
  return wanted === passkeyAcr || hasUsed || (await currentHasPasskey()) ? "first" : "second";
};

const SignInPage = async ({ searchParams }: { searchParams: Promise<Query> }) => {
  const query = await searchParams;
  const deps = await pageDeps();
  const returnTo = safeReturnTo(one(query.return_to));
  // `again`: the session stands, but what comes next wants a fresh proof of who is here.
  const session = query.again ? null : await currentSession();
  if (session) redirect(await findDestination(deps, { accountId: session.account.id, returnTo }));
  const wanted = await findWantedProof(deps, { returnTo });
  const wish = wishOf(wanted, (await currentSession()) !== null && !(await currentHasPasskey()));
  const { environment, statusUrl } = deps.config;
  return (
    <PageFrame width="narrow" environment={environment} theme={await currentTheme()} statusUrl={statusUrl}>
      <section className={`card ${styles.box}`}>
        <div>
          <h1>Sign in</h1>
          <p className="muted small">{introOf(returnTo)}</p>
        </div>
        {wish ? <Notice tone="note">{wish}</Notice> : null}
        <SignInForm
          returnTo={returnTo}
          error={one(query.error)}
          passkey={await placeOf(wanted)}
          demo={await findDemoSignIns(deps)}
        />
      </section>
    </PageFrame>
  );
};

export default SignInPage;
