import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { listMerchantNames } from "../../data/merchants/merchants.ts";
import { type ClientRow, findClient } from "../../data/oauth/clients.ts";
import { findPushedRequest, type PushedRequestRow } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { isText } from "../../kernel/text/text.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { type AuthorizationRequest, toAuthorizationRequest } from "../requests/authorization-request.ts";
import { redirectUriMatches } from "../rules/clients/redirect-uri.ts";
import { usesMandates } from "../rules/requests/authorization-request.ts";
import { askedOf } from "../rules/scopes.ts";
import { meetsAuthentication } from "../rules/tokens/authentication.ts";
import { authorizationResponse } from "./authorization-response.ts";
import { type ConsentAnswer, findAnswer } from "./consent-answer.ts";
import { type ConsentDraft, readDraft } from "./consent-draft.ts";
import { type ConsentTerms, findReplacement, mayAnswer, type Replacement } from "./find-replacement.ts";

type ConsentMandate = ConsentTerms & {
  /** what stands now, where the mandate is to be changed; null for a new one */
  current: (ConsentTerms & { version: number; isPaused: boolean }) | null;
};

export type ConsentView = {
  handle: string;
  client: { id: string; name: string; isVerified: boolean; logoUri: string | null; domain: string | null };
  mandates: ConsentMandate[];
  /** the grant that approval replaces, and the mandates that end with it; null: approval makes a new grant */
  replaces: {
    grantId: string;
    paymentMethodId: string | null;
    budgetVisible: boolean;
    ends: ConsentTerms[];
  } | null;
  /** what it may do beside paying, in the payer's words */
  rights: string[];
  redirectHost: string;
  environment: "production" | "sandbox";
};

export type ConsentLookup =
  | { kind: "ready"; view: ConsentView; draft: ConsentDraft | null }
  | { kind: "sign_in" }
  | ConsentGone;

/** Why a request can't be decided any more. */
export type ConsentGone = {
  kind: "gone";
  reason: "expired" | "completed" | "ended" | "unknown";
  /** of a completed request, for the payer who answered it */
  answer: ConsentAnswer | null;
  /** to the client with an error, unless it was answered or wants no answers at its redirect URI any more */
  wayBack: { location: string; host: string } | null;
};

/**
 * What the consent page shows. Consent is a risky act, so a session whose last proof is over 5 minutes old, older than the
 * client's `max_age` or of another kind than its `acr_values` signs in again. A request to replace a grant exists for the
 * payer who gave it; to anybody else it is unknown.
 */
export const findConsent = async (
  deps: Deps,
  input: { handle: string; session: SessionContext | null },
): Promise<ConsentLookup> => {
  // An address may hold what no text of PostgreSQL can: `/consent/%00`.
  const row = isText(input.handle) ? await findPushedRequest(deps.db, input.handle) : null;
  // Never opened: the page's address was guessed or kept from elsewhere.
  if (!row?.completeBy) return { kind: "gone", reason: "unknown", answer: null, wayBack: null };
  const { session } = input;
  if (row.completedAt) {
    return { kind: "gone", reason: "completed", answer: await findAnswer(deps, { row, session }), wayBack: null };
  }
  const now = deps.clock.now();
  const request = toAuthorizationRequest(row.request);
  const client = await findClient(deps.db.sql, row.clientId);
  const gone = async (reason: "expired" | "ended" | "unknown"): Promise<ConsentGone> => {
    // Another payer learns nothing of it, not even its client.
    const mayLeadBack = await mayAnswer(deps, { request, payerId: session?.account.id ?? null });
    const wayBack = client && mayLeadBack ? findWayBack(deps, { client, request, reason }) : null;
    return { kind: "gone", reason, answer: null, wayBack };
  };
  if (row.completeBy <= now) return gone("expired");
  if (!session || !meetsAuthentication(session, request, { openedAt: row.openedAt, now })) return { kind: "sign_in" };
  if (!client || !mayStillAsk(client, request)) return gone("unknown");
  if (hasEnded(request.details, await deps.businessClock.now())) return gone("ended");
  const replacement = await findReplacement(deps, { request, clientId: client.id, payerId: session.account.id });
  if (replacement === "ended" || replacement === "not_yours") return gone("unknown");
  const view = await toView(deps, { row, request, client, replacement });
  return { kind: "ready", view, draft: readDraft(row, session.account.id) };
};

/** Whether the end that was asked for has passed, of any mandate: a request is approved as a whole. */
const hasEnded = (details: readonly PaymentMandateDetails[], now: Date): boolean =>
  details.some(({ valid_until: until }) => until !== undefined && new Date(until) <= now);

/** What the client learns: `error_description`, in the characters of RFC 6749 §4.1.2.1. */
const refusals = {
  expired: "the request expired before the payer decided",
  ended: "valid_until has passed",
  unknown: "the grant or mandate to replace has changed or ended",
} as const;

/** A request that can't be approved is denied by the authorization server (access_denied, RFC 6749 §4.1.2.1). */
const findWayBack = (
  deps: Pick<Deps, "config">,
  about: { client: ClientRow; request: AuthorizationRequest; reason: keyof typeof refusals },
): ConsentGone["wayBack"] => {
  const { client, request, reason } = about;
  if (!redirectUriMatches(client.redirectUris, request.redirectUri)) return null;
  const refusal = { error: "access_denied", error_description: refusals[reason] } as const;
  return { location: authorizationResponse(deps, request, refusal), host: new URL(request.redirectUri).host };
};

/**
 * What a client registers may have changed since it asked (RFC 7592 §2.2): no code goes where it wants none any more, and
 * nobody is asked for what it has given up.
 */
export const mayStillAsk = (
  { grantTypes, redirectUris, ...client }: Pick<ClientRow, "grantTypes" | "redirectUris" | "scopes" | "detailsTypes">,
  { redirectUri, scopes }: Pick<AuthorizationRequest, "redirectUri" | "scopes">,
): boolean =>
  grantTypes.includes("authorization_code") &&
  usesMandates(client) &&
  redirectUriMatches(redirectUris, redirectUri) &&
  scopes.every((scope) => client.scopes.includes(scope));

const toView = async (
  deps: Deps,
  found: {
    row: PushedRequestRow;
    request: AuthorizationRequest;
    client: { id: string; name: string };
    replacement: Replacement | null;
  },
): Promise<ConsentView> => {
  const { row, request, client, replacement } = found;
  const named = [...request.details, ...(replacement?.mandates ?? []).map(({ details }) => details)];
  const names = await listMerchantNames(deps.db, [...new Set(named.flatMap(merchantIdsOf))]);
  const terms = (mandateId: string, details: PaymentMandateDetails): ConsentTerms => ({
    mandateId,
    details,
    payees: (details.payees ?? []).map((payee) =>
      "id" in payee ? { id: payee.id, name: names.get(payee.id) ?? payee.id } : { category: payee.category },
    ),
  });
  const redirect = new URL(request.redirectUri);
  return {
    handle: row.handle,
    client: {
      id: client.id,
      name: client.name,
      // Verified names come from the directory; until a client is in it, the page warns.
      isVerified: false,
      logoUri: null,
      domain: redirect.protocol === "https:" ? redirect.hostname : null,
    },
    mandates: request.details.map((details, index) => {
      const mandateId = request.mandateIds[index] ?? "";
      const current = replacement?.mandates.find(({ id }) => id === details.identifier);
      if (!current) return { ...terms(mandateId, details), current: null };
      const { version, state } = current;
      return {
        // It goes on from where it began.
        ...terms(mandateId, { ...details, valid_from: current.details.valid_from }),
        current: { ...terms(mandateId, current.details), version, isPaused: state === "suspended" },
      };
    }),
    replaces: replacement && {
      grantId: replacement.grantId,
      paymentMethodId: replacement.paymentMethodId,
      budgetVisible: replacement.budgetVisible,
      ends: replacement.mandates
        .filter(({ id }) => !request.mandateIds.includes(id))
        .map(({ id, details }) => terms(id, details)),
    },
    rights: askedOf(request.scopes),
    redirectHost: redirect.host,
    environment: deps.config.environment,
  };
};

const merchantIdsOf = (details: PaymentMandateDetails): string[] =>
  (details.payees ?? []).flatMap((payee) => ("id" in payee ? [payee.id] : []));
