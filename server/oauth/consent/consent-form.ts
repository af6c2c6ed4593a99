import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import type { Deps } from "../../deps/deps.ts";
import { secretsEqual, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { ConsentView } from "./consent-view.ts";

type ConsentForm = {
  sessionId: string;
  payerId: string;
  handle: string;
  /** hash of the request's view when the page was rendered */
  viewHash: string;
  page: ConsentPageText;
};

/** The text that the payer read, and its locale. */
export type ConsentPageText = { text: string; locale: string };

const context = "consent_form";

const openToken = ({ sealer }: Pick<Deps, "sealer">, formToken: string): ConsentForm =>
  JSON.parse(sealer.open(formToken, context)) as ConsentForm;

const hashOfView = (view: ConsentView): string => sha256Base64url(JSON.stringify(view));

/**
 * The token of one consent page. It is valid only for this session, payer, request and text (docs/spec/oauth.md,
 * Authorization endpoint).
 */
export const sealConsentForm = (
  { sealer }: Pick<Deps, "sealer">,
  input: { session: SessionContext; view: ConsentView; page: ConsentPageText },
): string => {
  const { session, view, page } = input;
  const form: ConsentForm = {
    sessionId: session.sessionId,
    payerId: session.account.id,
    handle: view.handle,
    viewHash: hashOfView(view),
    page,
  };
  return sealer.seal(JSON.stringify(form), context);
};

/**
 * @returns the text that the payer read.
 * @throws DomainError consent_stale for a token of another session or payer, and if the request has changed since the
 *   page was rendered.
 */
export const openConsentForm = (
  deps: Pick<Deps, "sealer">,
  input: { formToken: string; session: SessionContext; view: ConsentView },
): ConsentPageText => {
  const { session, view } = input;
  let form: ConsentForm;
  try {
    form = openToken(deps, input.formToken);
  } catch (cause) {
    return refuseStale(cause);
  }
  const isOwn =
    form.sessionId === session.sessionId && form.payerId === session.account.id && form.handle === view.handle;
  // A token of an earlier release may lack a field: its page is stale too.
  if (!isOwn || !secretsEqual(String(form.viewHash), hashOfView(view)) || !form.page?.text) return refuseStale();
  return form.page;
};

/**
 * The payer for whom a page was rendered, even if the session has ended since then.
 * @returns null for a token of another request, and for text that isn't a token.
 */
export const findFormPayer = (
  deps: Pick<Deps, "sealer">,
  { formToken, handle }: { formToken: string; handle: string },
): string | null => {
  try {
    const form = openToken(deps, formToken);
    return form.handle === handle ? form.payerId : null;
  } catch {
    return null;
  }
};

export const refuseStale = (cause?: unknown): never => {
  throw new DomainError("forbidden", {
    code: "consent_stale",
    message: "This page is outdated. Reload it and decide again.",
    cause,
  });
};
