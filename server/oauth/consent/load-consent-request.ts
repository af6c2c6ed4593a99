import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { findRegisteredMerchantIds } from "../../data/mandates/mandates.ts";
import { type ClientRow, findClient } from "../../data/oauth/clients.ts";
import { findPushedRequest, type PushedRequestRow } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { findReplacedGrant, type ReplacedGrant } from "../grants/find-replaced-grant.ts";
import { type AuthorizationRequest, toAuthorizationRequest } from "../requests/authorization-request.ts";
import { redirectUriMatches } from "../rules/clients/redirect-uri.ts";
import { usesMandates } from "../rules/requests/authorization-request.ts";
import { meetsAuthentication } from "../rules/tokens/authentication.ts";
import { authorizationResponse } from "./authorization-response.ts";
import { type ConsentAnswer, findAnswer } from "./consent-answer.ts";
import { type ConsentDraft, readDraft } from "./consent-draft.ts";
import { type ConsentView, payeeIdsOf, toConsentView } from "./consent-view.ts";
import { toReplacement } from "./replacement.ts";

export type ConsentRequest = ReadyConsentRequest | { kind: "sign_in" } | ConsentGone;

export type ReadyConsentRequest = {
  kind: "ready";
  request: AuthorizationRequest;
  view: ConsentView;
  /** what this payer entered before; the page shows it again */
  draft: ConsentDraft | null;
};

/** A request that can no longer be decided. */
export type ConsentGone = {
  kind: "gone";
  reason: "expired" | "completed" | "ended" | "inactive_payee" | "unknown";
  /** the answer to a completed request, for the payer who gave it */
  answer: ConsentAnswer | null;
  /**
   * Redirect to the client with an error. Null if the request is unknown or was answered, if the client was deleted or
   * removed the redirect URI, or if the request replaces a grant that isn't the reader's.
   */
  wayBack: { location: string; host: string } | null;
};

type Loaded = {
  row: PushedRequestRow;
  request: AuthorizationRequest;
  client: ClientRow | null;
  /** null if the request creates a grant, or if the client has no such grant */
  grant: ReplacedGrant | null;
  payerId: string | null;
};

/**
 * Loads a consent request once for one HTTP request. The page's view, the narrowings and the decision are derived from
 * it. Consent needs recent authentication: the payer must sign in again if the last sign-in is over 5 minutes old, or
 * has an `acr` that isn't in the request's `acr_values`, or if it was before the request was opened and is older than
 * the request's `max_age`. Another payer can't decide a request that replaces a grant, and gets no redirect to the
 * client.
 */
export const loadConsentRequest = async (
  deps: Deps,
  { handle, session }: { handle: string; session: SessionContext | null },
): Promise<ConsentRequest> => {
  const row = await findPushedRequest(deps.db.sql, handle);
  // Without `completeBy`, the client's link was never opened, so the caller guessed the URL of the consent page.
  if (!row?.completeBy) return { kind: "gone", reason: "unknown", answer: null, wayBack: null };
  if (row.completedAt) {
    return { kind: "gone", reason: "completed", answer: await findAnswer(deps, { row, session }), wayBack: null };
  }
  const now = deps.clock.now();
  const loaded = await loadParties(deps, row, session?.account.id ?? null);
  const { request, client, payerId } = loaded;
  if (row.completeBy <= now) return toGone(deps, loaded, "expired");
  if (!session || payerId === null || !meetsAuthentication(session, request, { openedAt: row.openedAt, now })) {
    return { kind: "sign_in" };
  }
  if (!client || !isStillAllowed(client, request)) return toGone(deps, loaded, "client_changed");
  if (hasEnded(request.details, await deps.businessClock.now())) return toGone(deps, loaded, "ended");
  if (await namesInactivePayee(deps, request.details)) return toGone(deps, loaded, "inactive_payee");
  const replacement = loaded.grant && toReplacement(request, loaded.grant);
  if (!isOwnRequest(loaded) || (loaded.grant && !replacement)) return toGone(deps, loaded, "grant_changed");
  const view = await toConsentView(deps, { handle, request, client, replacement });
  return { kind: "ready", request, view, draft: readDraft(row, payerId) };
};

const loadParties = async (deps: Deps, row: PushedRequestRow, payerId: string | null): Promise<Loaded> => {
  const request = toAuthorizationRequest(row.request);
  const { clientId } = row;
  const grantId = request.replacesGrantId;
  const [client, grant] = await Promise.all([
    findClient(deps.db.sql, clientId),
    grantId === null ? null : findReplacedGrant(deps, { grantId, clientId }),
  ]);
  return { row, request, client, grant, payerId };
};

/**
 * Any payer may decide a request that creates a grant. Only the grant's payer may decide a request that replaces one.
 */
const isOwnRequest = ({ request, grant, payerId }: Loaded): boolean =>
  request.replacesGrantId === null || (grant !== null && grant.payerId === payerId);

/** Whether `valid_until` of any mandate has passed: a request is approved as a whole. */
const hasEnded = (details: readonly PaymentMandateDetails[], now: Date): boolean =>
  details.some(({ valid_until: until }) => until !== undefined && new Date(until) <= now);

/** PAR accepts active merchants only. An operator may have suspended one since then. */
const namesInactivePayee = async ({ db }: Pick<Deps, "db">, details: readonly PaymentMandateDetails[]) => {
  const ids = new Set(details.flatMap(payeeIdsOf));
  return ids.size > 0 && (await findRegisteredMerchantIds(db, [...ids])).size < ids.size;
};

/**
 * Why a request can't be approved. `description`: the `error_description` for the client, which contains only the
 * characters that RFC 6749 §4.1.2.1 allows.
 */
const denials = {
  expired: { reason: "expired", description: "the request expired before the payer decided" },
  ended: { reason: "ended", description: "valid_until has passed" },
  inactive_payee: { reason: "inactive_payee", description: "a payee of the request is not an active merchant" },
  client_changed: { reason: "unknown", description: "the client's registration no longer allows the request" },
  grant_changed: { reason: "unknown", description: "the grant or mandate to replace has changed or ended" },
} as const;

/** A request that can't be approved is denied by the authorization server (access_denied, RFC 6749 §4.1.2.1). */
const toGone = (deps: Pick<Deps, "config">, loaded: Loaded, denial: keyof typeof denials): ConsentGone => {
  const { client, request } = loaded;
  const { reason, description } = denials[denial];
  // Another payer must not learn who the client is.
  const mayReturn = client && isOwnRequest(loaded) && redirectUriMatches(client.redirectUris, request.redirectUri);
  if (!mayReturn) return { kind: "gone", reason, answer: null, wayBack: null };
  const error = { error: "access_denied", error_description: description } as const;
  const location = authorizationResponse(deps, request, error);
  return { kind: "gone", reason, answer: null, wayBack: { location, host: new URL(request.redirectUri).host } };
};

/**
 * A client may have changed its registration since PAR (RFC 7592 §2.2). The request is refused if the current
 * registration doesn't allow it.
 */
export const isStillAllowed = (
  { grantTypes, redirectUris, ...client }: Pick<ClientRow, "grantTypes" | "redirectUris" | "scopes" | "detailsTypes">,
  { redirectUri, scopes }: Pick<AuthorizationRequest, "redirectUri" | "scopes">,
): boolean =>
  grantTypes.includes("authorization_code") &&
  usesMandates(client) &&
  redirectUriMatches(redirectUris, redirectUri) &&
  scopes.every((scope) => client.scopes.includes(scope));
