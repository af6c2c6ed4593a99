import type { JsonObject } from "../../kernel/text/json.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";

/** What the payer will be asked, as it is kept between PAR and the code. */
export type AuthorizationRequest = {
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
  dpopJkt: string | null;
  maxAgeSeconds: number | null;
  /** one of them must be met; empty: any will do (RFC 9470 §5) */
  acrValues: string[];
  /** the grant that a consent replaces; null: it makes a new one */
  replacesGrantId: string | null;
  scopes: string[];
  details: PaymentMandateDetails[];
  /** one per details item; each is the mandate's id from here on */
  mandateIds: string[];
};

/** Back from the database. A request of an earlier release asks for neither an acr nor a replacement. */
export const toAuthorizationRequest = (stored: JsonObject): AuthorizationRequest => ({
  acrValues: [],
  replacesGrantId: null,
  ...(stored as unknown as Omit<AuthorizationRequest, "acrValues" | "replacesGrantId">),
});
