import { chargeRequestSchema, chargeSchema } from "../../charges/charge/charge.wire.ts";
import { createCharge } from "../../charges/charge/create-charge.ts";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { standingCodes } from "../../charges/rules/merchant-standing.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { declined, idempotencyHeader, refusedByMandate } from "./examples.ts";
import { readIdempotencyKey, replyToCharge } from "./idempotency.ts";
import { merchantOf } from "./merchant-of.ts";

export const chargeEndpoint = defineEndpoint({
  method: "POST",
  path: "/merchant_test/charge",
  operationId: "createCharge",
  summary: "Charge a mandate",
  tag: "Merchant",
  standards: ["RFC 9457", "RFC 8785"],
  auth: { kind: "access_token", resource: "merchant_test", scope: "charges.write", namesMandate: true },
  errors: "problem",
  errorCodes: [
    "invalid_request",
    "refused_by_mandate",
    "mandate_not_found",
    ...Object.values(standingCodes),
    "idempotency_key_in_use",
    "idempotency_key_reused",
    "processor_unavailable",
    "too_many_waiting",
  ],
  request: {
    content: "json",
    body: chargeRequestSchema,
    headers: idempotencyHeader,
    example: {
      mandate_id: chargeExample.mandate_id,
      amount: 1250,
      currency: "EUR",
      payer_presence: "in_session",
      reference: "order-1042",
    },
  },
  responses: {
    201: { description: "Succeeded or authorized", schema: chargeSchema, example: chargeExample },
    202: {
      description: "Not completed yet. Poll the charge, or send the payer to next_action",
      schema: chargeSchema,
      example: { ...chargeExample, status: "unknown", amount_captured: 0 },
    },
    402: declined,
    403: refusedByMandate,
  },
  async handle({ deps, caller, info, request, admitBudgetAnswer }, { body }) {
    const result = await createCharge(deps, {
      admitBudgetAnswer,
      merchantId: merchantOf(caller),
      clientId: caller.clientId,
      requestId: info.requestId,
      idempotencyKey: readIdempotencyKey(request),
      request: body,
      named: caller.named,
    });
    return replyToCharge(deps, result);
  },
});
