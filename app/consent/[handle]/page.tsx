import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ConsentCard } from "#components/consent/consent-card.tsx";
import { ConsentGone } from "#components/consent/consent-gone.tsx";
import type { ConsentProblem } from "#components/consent/consent-lines.ts";
import { consentText } from "#components/consent/consent-text.ts";
import { PageFrame, Who } from "#components/layout/page-frame.tsx";
import { listPaymentMethods } from "#server/accounts/list-payment-methods.ts";
import { sealConsentForm } from "#server/oauth/consent/consent-form.ts";
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
  const reader = { locale: account.locale, timeZone: account.timeZone };
  const now = await deps.businessClock.now();
  const shownText = consentText(found.view, { reader, now });
  const formToken = sealConsentForm(deps, { session, view: found.view, shownText, locale: reader.locale });
  return (
    <PageFrame {...frame} aside={<Who email={account.email} />}>
      <ConsentCard
        request={{ ...found.view, formToken }}
        methods={await listPaymentMethods(deps, { payerId: account.id })}
        reader={reader}
        now={now}
        problem={problemOf(query)}
      />
    </PageFrame>
  );
};

const messages: ReadonlyMap<string, string> = new Map([
  ["not_narrower", "That can’t be set here: a limit can only be lowered, and an end only be sooner."],
  ["malformed_limit", "That can’t be read as one amount. Enter digits, with separators only before the decimals."],
  ["consent_stale", "This page had gone stale, so nothing was decided. Read it again, then decide."],
  ["payment_method_required", "Choose a payment method of yours."],
]);
const otherwise = "That can’t be used, so nothing was decided yet. Check the limits, then decide again.";

/** The decision names a field as `/mandates/0/periodic_limits/1/max_amount`; the form calls it `m0_p1_max_amount`. */
const fieldOf = (pointer: string): string | null => {
  const [, index, rest] = /^\/mandates\/(\d)\/([a-z_/0-9]+)$/.exec(pointer) ?? [];
  return index && rest ? `m${index}_${rest.replace(/^periodic_limits\/(\d)\//, "p$1_")}` : null;
};

const problemOf = (query: { error?: string | string[]; field?: string | string[] }): ConsentProblem | null => {
  if (typeof query.error !== "string") return null;
  const field = typeof query.field === "string" ? fieldOf(query.field) : null;
  return { field, message: messages.get(query.error) ?? otherwise };
};

export default ConsentPage;
