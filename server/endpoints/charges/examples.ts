import { chargeExample } from "../../charges/events/charge-example.ts";

export const idempotencyHeader = {
  "Idempotency-Key": {
    description:
      "1 to 255 visible ASCII characters. Use a new key for each new request to a path. A repeated request with the same key gets the same response.",
    required: true,
  },
} as const;

const problemType = "application/problem+json";
const settled = { charge_id: chargeExample.id, retryable: false };

export const declined = {
  description: "Declined by the processor",
  contentType: problemType,
  example: {
    type: "/docs/errors#card_declined",
    title: "The payment did not go through",
    status: 402,
    detail: "Nothing was charged. Ask for another payment method.",
    ...settled,
    code: "card_declined",
    decline_code: "insufficient_funds",
    advice: "Nothing was charged. Ask for another payment method.",
  },
};

export const refused = {
  description: "The processor refused the request and did nothing. Read the charge to see its state",
  contentType: problemType,
  example: {
    type: "/docs/errors#processor_refused",
    title: "The processor refused",
    status: 402,
    detail: "The processor refused the request and did nothing. Read the charge to see its state.",
    ...settled,
    code: "processor_refused",
    decline_code: "authorization_expired",
    advice: "The processor refused the request and did nothing. Read the charge to see its state.",
  },
};

export const refusedByMandate = {
  description: "The mandate doesn't allow this payment; see reasons",
  contentType: problemType,
  example: {
    type: "/docs/errors#refused_by_mandate",
    title: "Refused by mandate",
    status: 403,
    detail: "The payer's mandate does not allow this payment.",
    reasons: [{ code: "mandate_revoked", constraint: "state", remedy: null }],
  },
};
