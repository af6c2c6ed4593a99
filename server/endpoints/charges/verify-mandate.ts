import { z } from "zod";
import { verifyRequestSchema } from "../../charges/charge/charge.wire.ts";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { verifyMandate } from "../../charges/permission/verify-mandate.ts";
import { standingCodes } from "../../charges/rules/merchant-standing.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { merchantOf } from "./merchant-of.ts";

const verdictSchema = z.object({
  valid: z.boolean(),
  // Null if the presented credential is refused, so that nothing about a mandate is revealed.
  mandate_id: z.string().nullable(),
  status: z.string().nullable(),
  version: z.number().nullable(),
  reasons: z.array(z.object({ code: z.string(), constraint: z.string(), remedy: z.object({}).loose().nullable() })),
  step_up_required: z.boolean(),
  left: z
    .array(
      z.object({
        constraint: z.string(),
        amount: z.number().optional(),
        payments: z.number().optional(),
        resets_at: z.string().optional(),
      }),
    )
    .optional(),
  checked_at: z.string(),
  verdict_expires_at: z.string(),
  status_list: z.array(z.object({ format: z.string(), purpose: z.string(), uri: z.string(), index: z.number() })),
  receipt: z.string(),
});

export const verifyMandateEndpoint = defineEndpoint({
  method: "POST",
  path: "/merchant_test/verify-mandate",
  operationId: "verifyMandate",
  summary: "Check whether a mandate allows a payment",
  tag: "Merchant",
  standards: ["RFC 9457", "RFC 7515"],
  auth: { kind: "access_token", resource: "merchant_test", scope: "mandates.verify", namesMandate: true },
  errors: "problem",
  errorCodes: ["invalid_request", "mandate_not_found", ...Object.values(standingCodes)],
  request: {
    content: "json",
    body: verifyRequestSchema,
    example: { mandate_id: chargeExample.mandate_id, amount: 1250, currency: "EUR", payer_presence: "in_session" },
  },
  responses: {
    200: {
      description: "The verdict: valid or not. A later charge is checked again",
      schema: verdictSchema,
      example: {
        valid: true,
        mandate_id: chargeExample.mandate_id,
        status: "active",
        version: 1,
        reasons: [],
        step_up_required: false,
        checked_at: "2026-11-21T10:15:00.000Z",
        verdict_expires_at: "2026-11-21T10:16:00.000Z",
        status_list: [],
        receipt: "eyJ0eXAiOiJwYXlncmFudC1yZWNlaXB0K2p3dCJ9…",
      },
    },
  },
  async handle({ deps, caller, info, admitBudgetAnswer }, { body }) {
    const merchantId = merchantOf(caller);
    const input = { merchantId, clientId: caller.clientId, requestId: info.requestId, request: body };
    const verdict = await verifyMandate(deps, { ...input, named: caller.named, admitBudgetAnswer });
    return { status: 200, headers: noStore, body: verdict };
  },
});
