import { z } from "zod";
import { captureCharge, voidCharge } from "../../charges/acts/act-on-charge.ts";
import { captureRequestSchema, chargeSchema, voidRequestSchema } from "../../charges/charge/charge.wire.ts";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { idempotencyHeader, refused } from "./examples.ts";
import { readIdempotencyKey, replyToAct } from "./idempotency.ts";
import { clientActor, merchantOf } from "./merchant-of.ts";

const authorized = { ...chargeExample, status: "authorized", amount_captured: 0, capture_method: "manual" };
const shared = {
  method: "POST",
  tag: "Merchant",
  standards: ["RFC 9457", "RFC 8785"],
  auth: { kind: "access_token", resource: "merchant_test", scope: "charges.write" },
  errors: "problem",
} as const;
const errorCodes = [
  "invalid_request",
  "charge_not_found",
  "charge_not_authorized",
  "charge_in_use",
  "idempotency_key_in_use",
  "idempotency_key_reused",
  "processor_unavailable",
];
const params = z.object({ charge_id: z.string() });
const undecided = {
  description:
    "The outcome is not known yet. The service repeats its request until the processor answers. Poll the charge",
  schema: chargeSchema,
  example: authorized,
};

export const captureChargeEndpoint = defineEndpoint({
  ...shared,
  path: "/merchant_test/charges/{charge_id}/capture",
  operationId: "captureCharge",
  summary: "Capture an authorized charge in full or in part",
  errorCodes: [...errorCodes, "exceeds_authorized"],
  request: {
    content: "json",
    mayBeAbsent: true,
    params,
    body: captureRequestSchema,
    headers: idempotencyHeader,
    example: { amount: 1000 },
  },
  responses: {
    200: {
      description: "Captured. The rest of the authorized amount is released",
      schema: chargeSchema,
      example: { ...authorized, status: "partially_captured", amount_captured: 1000 },
    },
    202: undecided,
    402: refused,
  },
  async handle({ deps, caller, info, request }, { body, params: { charge_id: chargeId } }) {
    const idempotencyKey = readIdempotencyKey(request);
    const act = { merchantId: merchantOf(caller), actor: clientActor(caller), requestId: info.requestId, chargeId };
    return replyToAct(deps, await captureCharge(deps, { ...act, idempotencyKey, request: body }));
  },
});

export const voidChargeEndpoint = defineEndpoint({
  ...shared,
  path: "/merchant_test/charges/{charge_id}/void",
  operationId: "voidCharge",
  summary: "Void a charge that is authorized or waits for the payer",
  errorCodes,
  // A request with an amount is refused: releasing a part is a partial capture, not a void.
  request: {
    content: "json",
    mayBeAbsent: true,
    params,
    body: voidRequestSchema,
    headers: idempotencyHeader,
    example: {},
  },
  responses: {
    200: {
      description: "Voided. The authorized amount is released",
      schema: chargeSchema,
      example: { ...authorized, status: "voided" },
    },
    202: undecided,
    402: refused,
  },
  async handle({ deps, caller, info, request }, { params: { charge_id: chargeId } }) {
    const idempotencyKey = readIdempotencyKey(request);
    const act = { merchantId: merchantOf(caller), actor: clientActor(caller), requestId: info.requestId, chargeId };
    return replyToAct(deps, await voidCharge(deps, { ...act, idempotencyKey }));
  },
});
