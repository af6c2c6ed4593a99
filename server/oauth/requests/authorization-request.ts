import type { JsonObject } from "../../kernel/text/json.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";

/** The validated request, stored between PAR and the code. */
export type AuthorizationRequest = {
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
  dpopJkt: string | null;
  maxAgeSeconds: number | null;
  /** one of them is required; empty: any (RFC 9470 §5) */
  acrValues: string[];
  /** the grant to replace; null: a new one */
  replacesGrantId: string | null;
  scopes: string[];
  details: PaymentMandateDetails[];
  /** one per details item: the ids of the mandates */
  mandateIds: string[];
};

/** Reads a request from the database. Requests of earlier releases have neither an acr nor a replacement. */
export const toAuthorizationRequest = (stored: JsonObject): AuthorizationRequest => ({
  acrValues: [],
  replacesGrantId: null,
  ...(stored as unknown as Omit<AuthorizationRequest, "acrValues" | "replacesGrantId">),
});
