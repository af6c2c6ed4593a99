import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { cache } from "react";
import { ConsentCard } from "#components/consent/consent-card.tsx";
import { ConsentGone, goneTitle } from "#components/consent/consent-gone.tsx";
import type { ConsentProblem } from "#components/consent/consent-lines.ts";
import { consentText, words } from "#components/consent/consent-text.ts";
import type { Reader } from "#components/format/reader.ts";
import { PageFrame, Who } from "#components/layout/page-frame.tsx";
import { pageTitle } from "#components/layout/page-title.ts";
import { listPaymentMethods } from "#server/accounts/payment-methods/list-payment-methods.ts";
import type { SessionContext } from "#server/accounts/sessions/find-session.ts";
import { sealConsentForm } from "#server/oauth/consent/consent-form.ts";
import { type ConsentLookup, findConsent } from "#server/oauth/consent/find-consent.ts";
import { currentSession, currentTheme, pageDeps } from "../../../page-context.ts";

type Props = {
  params: Promise<{ handle: string }>;
  searchParams: Promise<{ error?: string | string[]; field?: string | string[] }>;
};

/** The title and the page show the same request: it is looked up once. */
const lookUp = cache(async (handle: string) =>
  findConsent(await pageDeps(), { handle, session: await currentSession() }),
);

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const found = await lookUp((await params).handle);
  return { title: pageTitle(titleOf(found)), robots: { index: false } };
};

const titleOf = (found: ConsentLookup): string => {
  if (found.kind === "ready") return words.title(found.view);
  return found.kind === "gone" ? goneTitle(found) : "Sign in";
};

const ConsentPage = async ({ params, searchParams }: Props) => {
  const { handle } = await params;
  const deps = await pageDeps();
  const session = await currentSession();
  const found = await lookUp(handle);
  const { environment, statusUrl } = deps.config;
  const frame = { width: "narrow", environment, statusUrl, theme: await currentTheme() } as const;
  if (found.kind === "gone") {
    return (
      <PageFrame {...frame}>
        <ConsentGone gone={found} reader={session && readerOf(session)} />
      </PageFrame>
    );
  }
  // Consent takes a fresh proof, so a payer who is signed in may have to sign in again.
  if (found.kind === "sign_in" || !session) {
    redirect(`/sign-in?return_to=${encodeURIComponent(`/consent/${handle}`)}&again=1`);
  }
  const { account } = session;
  const reader = readerOf(session);
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
        draft={found.draft}
        problem={problemOf(await searchParams)}
      />
    </PageFrame>
  );
};

const readerOf = ({ account: { locale, timeZone } }: SessionContext): Reader => ({ locale, timeZone });

const messages: ReadonlyMap<string, string> = new Map([
  ["not_narrower", "That can’t be set here: a limit can only be lowered, and an end only be sooner."],
  ["malformed_limit", "That can’t be read as one amount. Enter digits, with separators only before the decimals."],
  ["consent_stale", "This page was out of date, so nothing was decided. Read it again, then decide."],
  ["payment_method_required", "Choose one of your payment methods."],
]);
const otherwise = "That can’t be used, so nothing was decided yet. Check the limits, then decide again.";

/** What the page has a field for. Of anything else it speaks above the question. */
const fieldPointer =
  /^\/mandates\/(\d+)\/(max_amount_per_payment|max_total_amount|valid_until|periodic_limits\/\d\/max_amount)$/;

/** The decision names a field as `/mandates/0/periodic_limits/1/max_amount`; the form calls it `m0_p1_max_amount`. */
const fieldOf = (pointer: string): string | null => {
  const [, index, rest] = fieldPointer.exec(pointer) ?? [];
  return index && rest ? `m${index}_${rest.replace(/^periodic_limits\/(\d)\//, "p$1_")}` : null;
};

const problemOf = (query: { error?: string | string[]; field?: string | string[] }): ConsentProblem | null => {
  if (typeof query.error !== "string") return null;
  const field = typeof query.field === "string" ? fieldOf(query.field) : null;
  return { field, message: messages.get(query.error) ?? otherwise };
};

export default ConsentPage;
