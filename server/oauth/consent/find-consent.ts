import type { SessionContext } from "../../accounts/find-session.ts";
import { type ClientRow, findClient } from "../../data/clients.ts";
import { listMerchantNames } from "../../data/merchants.ts";
import { findPushedRequest, type PushedRequestRow } from "../../data/pushed-requests.ts";
import type { Deps } from "../../deps.ts";
import type { PaymentMandateDetails } from "../../mandates/payment-mandate.wire.ts";
import { type AuthorizationRequest, toAuthorizationRequest } from "../authorization-request.ts";
import { meetsAuthentication } from "../rules/authentication.ts";
import { usesMandates } from "../rules/authorization-request.ts";
import { redirectUriMatches } from "../rules/redirect-uri.ts";
import { askedOf } from "../rules/scopes.ts";
import { type ConsentTerms, findReplacement, type Replacement } from "./find-replacement.ts";

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
  | { kind: "ready"; view: ConsentView }
  | { kind: "sign_in" }
  | { kind: "gone"; reason: "expired" | "completed" | "unknown" };

/**
 * What the consent page shows. Consent is a risky act, so a session whose last proof is over 5 minutes old, older than the
 * client's `max_age` or of another kind than its `acr_values` signs in again. A request to replace a grant exists for the
 * payer who gave it; to anybody else it is unknown.
 */
export const findConsent = async (
  deps: Deps,
  input: { handle: string; session: SessionContext | null },
): Promise<ConsentLookup> => {
  const row = await findPushedRequest(deps.db, input.handle);
  const now = deps.clock.now();
  const reason = goneReason(row, now);
  if (!row || reason) return { kind: "gone", reason: reason ?? "unknown" };
  const request = toAuthorizationRequest(row.request);
  const { session } = input;
  if (!session || !meetsAuthentication(session, request, { openedAt: row.openedAt, now })) return { kind: "sign_in" };
  const client = await findClient(deps.db.sql, row.clientId);
  if (!client || !mayStillAsk(client, request)) return { kind: "gone", reason: "unknown" };
  const replacement = await findReplacement(deps, { request, clientId: client.id, payerId: session.account.id });
  if (replacement === "not_yours") return { kind: "gone", reason: "unknown" };
  return { kind: "ready", view: await toView(deps, { row, request, client, replacement }) };
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

const goneReason = (row: PushedRequestRow | null, now: Date): "expired" | "completed" | "unknown" | null => {
  // Never opened: the page's address was guessed or kept from elsewhere.
  if (!row?.completeBy) return "unknown";
  if (row.completedAt) return "completed";
  return row.completeBy <= now ? "expired" : null;
};

const merchantIdsOf = (details: PaymentMandateDetails): string[] =>
  (details.payees ?? []).flatMap((payee) => ("id" in payee ? [payee.id] : []));
