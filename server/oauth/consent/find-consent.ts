import type { SessionContext } from "../../accounts/find-session.ts";
import { findClient } from "../../data/clients.ts";
import { listMerchantNames } from "../../data/merchants.ts";
import { findPushedRequest, type PushedRequestRow } from "../../data/pushed-requests.ts";
import type { Deps } from "../../deps.ts";
import type { PaymentMandateDetails } from "../../mandates/payment-mandate.wire.ts";
import type { AuthorizationRequest } from "../push-request.ts";
import { freshProofSeconds } from "../rules/tokens.ts";

type ConsentMandate = {
  mandateId: string;
  details: PaymentMandateDetails;
  /** registered merchants by name, or categories by code; empty: any registered merchant */
  payees: ({ id: string; name: string } | { category: string })[];
};

export type ConsentView = {
  handle: string;
  client: { id: string; name: string; isVerified: boolean; logoUri: string | null; domain: string | null };
  mandates: ConsentMandate[];
  redirectOrigin: string;
  redirectHost: string;
  environment: "production" | "sandbox";
};

export type ConsentLookup =
  | { kind: "ready"; view: ConsentView }
  | { kind: "sign_in" }
  | { kind: "gone"; reason: "expired" | "completed" | "unknown" };

/**
 * What the consent page shows. Consent is a risky act, so a session whose last proof is over 5 minutes old
 * (or older than the client's `max_age`) signs in again.
 */
export const findConsent = async (
  deps: Deps,
  input: { handle: string; session: SessionContext | null },
): Promise<ConsentLookup> => {
  const row = await findPushedRequest(deps.db, input.handle);
  const now = deps.clock.now();
  const reason = goneReason(row, now);
  if (!row || reason) return { kind: "gone", reason: reason ?? "unknown" };
  const request = row.request as unknown as AuthorizationRequest;
  const { session } = input;
  if (!session || !isProofFresh(session, request, { openedAt: row.openedAt, now })) return { kind: "sign_in" };
  const client = await findClient(deps.db.sql, row.clientId);
  if (!client) return { kind: "gone", reason: "unknown" };
  const names = await listMerchantNames(deps.db, merchantIdsOf(request));
  const redirect = new URL(request.redirectUri);
  const view: ConsentView = {
    handle: row.handle,
    client: {
      id: client.id,
      name: client.name,
      // Verified names come from the directory; until a client is in it, the page warns.
      isVerified: false,
      logoUri: null,
      domain: redirect.protocol === "https:" ? redirect.hostname : null,
    },
    mandates: request.details.map((details, index) => ({
      mandateId: request.mandateIds[index] ?? "",
      details,
      payees: (details.payees ?? []).map((payee) =>
        "id" in payee ? { id: payee.id, name: names.get(payee.id) ?? payee.id } : { category: payee.category },
      ),
    })),
    redirectOrigin: redirect.origin,
    redirectHost: redirect.host,
    environment: deps.config.environment,
  };
  return { kind: "ready", view };
};

const goneReason = (row: PushedRequestRow | null, now: Date): "expired" | "completed" | "unknown" | null => {
  // Never opened: the page's address was guessed or kept from elsewhere.
  if (!row?.completeBy) return "unknown";
  if (row.completedAt) return "completed";
  return row.completeBy <= now ? "expired" : null;
};

/** A proof made for this request, since it was opened, meets any `max_age`, 0 included (RFC 9470 §5). */
const isProofFresh = (
  session: SessionContext,
  request: AuthorizationRequest,
  { openedAt, now }: { openedAt: Date | null; now: Date },
): boolean => {
  const age = (now.getTime() - session.authTime.getTime()) / 1000;
  if (age > freshProofSeconds) return false;
  if (openedAt !== null && session.authTime >= openedAt) return true;
  return age <= (request.maxAgeSeconds ?? freshProofSeconds);
};

const merchantIdsOf = (request: AuthorizationRequest): string[] =>
  request.details.flatMap((details) => (details.payees ?? []).flatMap((payee) => ("id" in payee ? [payee.id] : [])));
