import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { cache } from "react";
import { ClosedRequest, closedRequestTitle } from "#components/consent/closed-request.tsx";
import { ConsentCard } from "#components/consent/consent-card.tsx";
import type { ConsentProblem } from "#components/consent/consent-request.ts";
import { consentTexts, renderConsentText } from "#components/consent/consent-text.ts";
import { Messages } from "#components/format/messages.tsx";
import type { Reader } from "#components/format/reader.ts";
import { PageFrame, SignedInAs } from "#components/layout/page-frame.tsx";
import { pageTitle } from "#components/layout/page-title.ts";
import { acceptsTestCards } from "#server/accounts/payment-methods/add-test-card.ts";
import { acceptsCards } from "#server/accounts/payment-methods/begin-card-setup.ts";
import { listPaymentMethods } from "#server/accounts/payment-methods/list-payment-methods.ts";
import {
  findCardSetupOwner,
  type SettledCard,
  settleCardSetup,
} from "#server/accounts/payment-methods/settle-card-setup.ts";
import { testCardNames } from "#server/accounts/payment-methods/test-cards.ts";
import type { SessionContext } from "#server/accounts/sessions/find-session.ts";
import { newId } from "#server/kernel/ids.ts";
import { textLocaleOf } from "#server/kernel/messages/languages.ts";
import { methodLabel } from "#server/kernel/messages/method-label.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { findNextResets } from "#server/mandates/details/next-resets.ts";
import { sealConsentForm } from "#server/oauth/consent/consent-form.ts";
import type { ConsentView } from "#server/oauth/consent/consent-view.ts";
import { type ConsentRequest, loadConsentRequest } from "#server/oauth/consent/load-consent-request.ts";
import { findDeletionDate } from "#server/privacy/find-deletion-date.ts";
import { currentLanguageChoice, currentLocale, currentSession, currentTheme, pageDeps } from "../../../page-context.ts";

type Query = { error?: string | string[]; field?: string | string[]; card?: string | string[] };
type Props = { params: Promise<{ handle: string }>; searchParams: Promise<Query> };

/** Loaded once per HTTP request, for the title and the page. */
const loadRequest = cache(async (handle: string) => {
  const [deps, session] = await Promise.all([pageDeps(), currentSession()]);
  return loadConsentRequest(deps, { handle, session });
});

const loadMethods = async (session: SessionContext | null) =>
  session ? listPaymentMethods(await pageDeps(), { payerId: session.account.id }) : [];

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const [found, locale] = await Promise.all([loadRequest((await params).handle), currentLocale()]);
  return { title: pageTitle(titleOf(found, locale)), robots: { index: false } };
};

const titleOf = (found: ConsentRequest, locale: string): string => {
  if (found.kind === "ready") return consentTexts(locale).title(found.view);
  return found.kind === "gone" ? closedRequestTitle(found, locale) : translator(locale, "sign-in")("title");
};

const ConsentPage = async ({ params, searchParams }: Props) => {
  const { handle } = await params;
  const [deps, session] = await Promise.all([pageDeps(), currentSession()]);
  const query = await searchParams;
  const card = await settleCard(session, query);
  const [found, methods, theme, now, locale, languageChoice] = await Promise.all([
    loadRequest(handle),
    loadMethods(session),
    currentTheme(),
    deps.businessClock.now(),
    currentLocale(),
    currentLanguageChoice(),
  ]);
  const { environment, statusUrl } = deps.config;
  const frame = { width: "narrow", environment, statusUrl, theme, locale, languageChoice } as const;
  if (found.kind === "gone") {
    return (
      <PageFrame {...frame}>
        <ClosedRequest gone={found} error={query.error} reader={session && readerOf(session)} locale={locale} />
      </PageFrame>
    );
  }
  // Consent requires a recent authentication, so a payer with a session may have to sign in again.
  if (found.kind === "sign_in" || !session) {
    redirect(`/sign-in?return_to=${encodeURIComponent(`/consent/${handle}`)}&again=1`);
  }
  const { account } = session;
  const reader = readerOf(session);
  const deletedOn = await findDeletionDate(deps, { accountId: account.id });
  const request = {
    ...found.view,
    payer: { name: account.displayName, email: account.email },
    mandates: found.view.mandates.map((mandate) => withResets(mandate, now)),
  };
  const text = renderConsentText(request, { reader, now });
  const addable = { cards: acceptsCards(deps), testCards: acceptsTestCards(deps) ? testCardNames : [] };
  const formToken = sealConsentForm(deps, {
    session,
    view: found.view,
    page: { text, locale: textLocaleOf(reader.locale) },
  });
  return (
    <PageFrame {...frame} aside={<SignedInAs email={account.email} />}>
      <Messages locale={reader.locale} areas={["amounts", "consent-form"]}>
        <ConsentCard
          request={{ ...request, formToken }}
          methods={methods.map((method) => ({ ...method, label: methodLabel(method.label, reader.locale) }))}
          addable={addable}
          reader={reader}
          now={now}
          draft={found.draft}
          deletedOn={deletedOn}
          problem={problemOf(query, account.locale) ?? cardProblem(card, account.locale)}
        />
      </Messages>
    </PageFrame>
  );
};

const withResets = (mandate: ConsentView["mandates"][number], now: Date) => {
  // If the request changes a mandate, the periods still count from the start of the existing mandate.
  const start = mandate.current?.details.valid_from;
  return { ...mandate, resets: findNextResets(mandate.details, { start: start ? new Date(start) : null, now }) };
};

/** Adds the card after the payer returns from the processor's page. A repeated call adds no second card. */
const settleCard = async (session: SessionContext | null, { card }: Query): Promise<SettledCard | null> => {
  if (!session || typeof card !== "string") return null;
  const deps = await pageDeps();
  if ((await findCardSetupOwner(deps, { setupId: card })) !== session.account.id) return null;
  return settleCardSetup(deps, { setupId: card, requestId: newId("req") });
};

const cardProblem = (card: SettledCard | null, locale: string): ConsentProblem | null => {
  if (!card || card.state === "added") return null;
  return { field: null, message: translator(locale, "consent-method")(card.state === "open" ? "pending" : "ended") };
};

const addingProblems = {
  too_many_payment_methods: "tooMany",
  too_many_attempts: "tooMany",
  processor_unavailable: "failed",
  test_cards_unavailable: "failed",
} as const;

const isAddingProblem = (code: string): code is keyof typeof addingProblems => Object.hasOwn(addingProblems, code);

const readerOf = ({ account: { locale, timeZone } }: SessionContext): Reader => ({ locale, timeZone });

const problems = [
  "not_narrower",
  "malformed_limit",
  "consent_stale",
  "payment_method_required",
  "account_deletion_pending",
] as const;
const isProblem = (code: string): code is (typeof problems)[number] => problems.some((known) => known === code);

/** Fields of the form that show their own message. Any other message is shown above the request. */
const fieldPointer =
  /^\/mandates\/(\d+)\/((?:max_amount_per_payment|max_total_amount|max_payments|step_up_above|valid_until)|periodic_limits\/\d\/max_(?:amount|payments))$/;

/** The decision names a field as `/mandates/0/periodic_limits/1/max_amount`; the form calls it `m0_p1_max_amount`. */
const fieldOf = (pointer: string): string | null => {
  const [, index, rest] = fieldPointer.exec(pointer) ?? [];
  return index && rest ? `m${index}_${rest.replace(/^periodic_limits\/(\d)\//, "p$1_")}` : null;
};

const problemOf = (query: Query, locale: string): ConsentProblem | null => {
  if (typeof query.error !== "string") return null;
  if (isAddingProblem(query.error)) {
    return { field: null, message: translator(locale, "consent-method")(addingProblems[query.error]) };
  }
  const field = typeof query.field === "string" ? fieldOf(query.field) : null;
  const t = translator(locale, "consent");
  if (query.error === "malformed_limit" && field?.endsWith("max_payments")) {
    return { field, message: t("problems.malformed_count") };
  }
  return { field, message: t(isProblem(query.error) ? `problems.${query.error}` : "problems.other") };
};

export default ConsentPage;
