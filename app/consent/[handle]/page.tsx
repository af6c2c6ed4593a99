import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ConsentCard, type ConsentProblem } from "#components/consent/consent-card.tsx";
import { ConsentGone } from "#components/consent/consent-gone.tsx";
import { PageFrame, Who } from "#components/layout/page-frame.tsx";
import { listPaymentMethods } from "#server/accounts/list-payment-methods.ts";
import { findConsent } from "#server/oauth/consent/find-consent.ts";
import { currentSession, currentTheme, pageDeps } from "../../page-context.ts";

export const metadata: Metadata = { title: "Approve a mandate", robots: { index: false } };

type Props = {
  params: Promise<{ handle: string }>;
  searchParams: Promise<{ error?: string | string[]; field?: string | string[] }>;
};

const ConsentPage = async ({ params, searchParams }: Props) => {
  const [{ handle }, query, deps, session] = [
    await params,
    await searchParams,
    await pageDeps(),
    await currentSession(),
  ];
  const found = await findConsent(deps, { handle, session });
  // The proof of who is here must be fresh, so a session that stands may still have to sign in again.
  if (found.kind === "sign_in" || (found.kind === "ready" && !session)) {
    redirect(`/sign-in?return_to=${encodeURIComponent(`/consent/${handle}`)}&again=1`);
  }
  const { environment, statusUrl } = deps.config;
  const frame = { width: "narrow", environment, statusUrl, theme: await currentTheme() } as const;
  if (found.kind === "gone" || !session) {
    return (
      <PageFrame {...frame}>
        <ConsentGone reason={found.kind === "gone" ? found.reason : "unknown"} />
      </PageFrame>
    );
  }
  const { account } = session;
  return (
    <PageFrame {...frame} aside={<Who email={account.email} />}>
      {/* Chromium holds form-action against the redirect that follows too, so the client's origin is named here. */}
      <meta httpEquiv="Content-Security-Policy" content={`form-action 'self' ${found.view.redirectOrigin}`} />
      <ConsentCard
        request={found.view}
        methods={await listPaymentMethods(deps, { payerId: account.id })}
        reader={{ locale: account.locale, timeZone: account.timeZone }}
        now={deps.clock.now()}
        problem={problemOf(query)}
      />
    </PageFrame>
  );
};

const messages: Readonly<Record<string, string>> = {
  not_narrower: "That is more than was asked for. Limits can only be lowered here.",
  malformed_amount: "Write a plain amount, for example 25.00.",
  stale: "This page had gone stale, so nothing was decided. Read it again, then decide.",
  payment_method_required: "Choose a payment method of yours.",
};
const otherwise = "That can’t be used. Check the limits, then decide again. Nothing was decided yet.";

const problemOf = (query: { error?: string | string[]; field?: string | string[] }): ConsentProblem | null => {
  if (typeof query.error !== "string") return null;
  const field = typeof query.field === "string" && /^m\d_/.test(query.field) ? query.field : null;
  return { field, message: messages[query.error] ?? otherwise };
};

export default ConsentPage;
