import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import type { Deps } from "../../deps/deps.ts";
import { secretsEqual, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { ConsentView } from "./find-consent.ts";

type ConsentForm = {
  sessionId: string;
  payerId: string;
  handle: string;
  /** of the request as it stood when the page was made */
  viewHash: string;
  /** the page's words, and the locale that they are in */
  shownText: string;
  locale: string;
};

const context = "consent_form";

const hashOfView = (view: ConsentView): string => sha256Base64url(JSON.stringify(view));

/**
 * The token of one consent page: binds session, payer, request and what was shown (docs/spec/oauth.md, Authorization
 * endpoint).
 */
export const sealConsentForm = (
  { sealer }: Pick<Deps, "sealer">,
  input: { session: SessionContext; view: ConsentView; shownText: string; locale: string },
): string => {
  const { session, view, shownText, locale } = input;
  const form: ConsentForm = {
    sessionId: session.sessionId,
    payerId: session.account.id,
    handle: view.handle,
    viewHash: hashOfView(view),
    shownText,
    locale,
  };
  return sealer.seal(JSON.stringify(form), context);
};

/**
 * @returns what the payer was shown.
 * @throws DomainError consent_stale for a token that isn't this session's and payer's, or for a page that shows
 *   something else than what stands now.
 */
export const openConsentForm = (
  { sealer }: Pick<Deps, "sealer">,
  input: { formToken: string; session: SessionContext; view: ConsentView },
): { shownText: string; locale: string } => {
  const { session, view } = input;
  let form: ConsentForm;
  try {
    form = JSON.parse(sealer.open(input.formToken, context)) as ConsentForm;
  } catch (cause) {
    throw stale(cause);
  }
  const isOwn =
    form.sessionId === session.sessionId && form.payerId === session.account.id && form.handle === view.handle;
  // A token of an earlier release may lack a member: that page is stale too.
  if (!isOwn || !secretsEqual(String(form.viewHash), hashOfView(view)) || !form.shownText) throw stale();
  return form;
};

const stale = (cause?: unknown) =>
  new DomainError("forbidden", "consent_stale", "This page is outdated. Reload it and decide again.", { cause });
