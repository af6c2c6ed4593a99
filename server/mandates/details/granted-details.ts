import type { JsonObject } from "../../kernel/text/json.ts";
import type { MandateTerms } from "../rules/terms.ts";
import type { GrantedMandateDetails, PaymentMandateDetails } from "./payment-mandate.wire.ts";

/**
 * Fields that the server adds at consent: the identifier, the resolved window and the payment instrument, without a
 * card number.
 */
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

/** The details as stored in the database: undefined fields are absent. */
export const toJson = (details: GrantedMandateDetails): JsonObject => JSON.parse(JSON.stringify(details)) as JsonObject;

/**
 * Reads stored details without validation. They were checked when they were written, and only this service writes them.
 * A rule that became stricter later must not prevent a payer from seeing and stopping an older mandate.
 */
export const fromJson = (stored: unknown): GrantedMandateDetails => stored as GrantedMandateDetails;
