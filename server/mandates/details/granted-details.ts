import type { JsonObject } from "../../kernel/text/json.ts";
import type { MandateTerms } from "../rules/terms.ts";
import type { GrantedMandateDetails, PaymentMandateDetails } from "./payment-mandate.wire.ts";

/** What the server adds at consent: the identifier, the resolved window and the payment instrument, never a card number. */
export const toGrantedDetails = (
  details: PaymentMandateDetails,
  granted: {
    mandateId: string;
    terms: MandateTerms;
    paymentInstrument: { id: string; type: string; label: string } | null;
  },
): GrantedMandateDetails => ({
  ...details,
  valid_from: granted.terms.validFrom.toISOString(),
  valid_until: granted.terms.validUntil.toISOString(),
  identifier: granted.mandateId,
  ...(granted.paymentInstrument ? { payment_instrument: granted.paymentInstrument } : {}),
});

/** As the database holds it: fields that are undefined aren't there. */
export const toJson = (details: GrantedMandateDetails): JsonObject => JSON.parse(JSON.stringify(details)) as JsonObject;

/**
 * Back from the database. It was checked when it was written, and only this service writes it: a rule that is stricter
 * today must not keep a payer from seeing, and stopping, what was granted before.
 */
export const fromJson = (stored: unknown): GrantedMandateDetails => stored as GrantedMandateDetails;
