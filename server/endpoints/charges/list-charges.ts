import { z } from "zod";
import { chargeListSchema, chargeSchema } from "../../charges/charge/charge.wire.ts";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { getMerchantCharge, listAgentCharges, listMerchantCharges } from "../../charges/lists/list-charges.ts";
import { chargeStates } from "../../charges/rules/charge-states.ts";
import type { AccessTokenCaller } from "../../contract/callers.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { createdQuerySchema, pageQuerySchema, toCreatedRange, toPage } from "../../contract/pagination.ts";
import type { ChargeFilters } from "../../data/charges/charge-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { mandateNotFound } from "../../mandates/lifecycle/transition-mandate.ts";
import { insufficientTokenRefusal } from "../../oauth/tokens/verify-access-token.ts";
import { merchantOf } from "./merchant-of.ts";

const list = {
  description:
    "Newest first. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
  schema: chargeListSchema,
  example: { data: [chargeExample], has_more: false },
};

/** The filters that were sent; a charge must match all of them. */
const filterSchema = createdQuerySchema.extend({
  ...pageQuerySchema.shape,
  status: z.enum(chargeStates).optional().describe("The charge's status"),
  reference: z.string().min(1).max(200).optional().describe("The exact reference that was sent"),
});

const toFilters = (query: z.infer<typeof filterSchema>): ChargeFilters & PageRequest => ({
  status: query.status ?? null,
  reference: query.reference ?? null,
  ...toCreatedRange(query),
  ...toPage(query),
});

const merchantQuery = filterSchema.extend({ mandate_id: z.string().min(1).max(64).optional() });

export const listChargesEndpoint = defineEndpoint({
  method: "GET",
  path: "/merchant_test/charges",
  operationId: "listCharges",
  summary: "List the merchant's charges",
  tag: "Merchant",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "merchant_test", scope: "charges.read" },
  errors: "problem",
  errorCodes: ["invalid_request"],
  request: { query: merchantQuery },
  responses: { 200: list },
  async handle({ deps, caller }, { query }) {
    const input = { merchantId: merchantOf(caller), mandateId: query.mandate_id ?? null, ...toFilters(query) };
    const body = await listMerchantCharges(deps, input);
    return { status: 200, headers: noStore, body };
  },
});

export const getChargeEndpoint = defineEndpoint({
  method: "GET",
  path: "/merchant_test/charges/{charge_id}",
  operationId: "getCharge",
  summary: "Read one charge",
  tag: "Merchant",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "merchant_test", scope: "charges.read" },
  errors: "problem",
  errorCodes: ["charge_not_found"],
  request: { params: z.object({ charge_id: z.string() }) },
  responses: { 200: { description: "The charge", schema: chargeSchema, example: chargeExample } },
  async handle({ deps, caller }, { params }) {
    const body = await getMerchantCharge(deps, { merchantId: merchantOf(caller), chargeId: params.charge_id });
    return { status: 200, headers: noStore, body };
  },
});

export const listMandateChargesEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/mandates/{mandate_id}/charges",
  operationId: "listMandateCharges",
  summary:
    "List a mandate’s charges. Needs a token for this mandate, or the client’s own token with grant_management_query",
  tag: "Mandates",
  standards: ["RFC 6750", "RFC 9449", "RFC 9470"],
  auth: { kind: "access_token", resource: "authorization_server", scope: null, limitsAuthenticationAge: true },
  errors: "oauth",
  errorCodes: ["invalid_token", "insufficient_scope", "insufficient_user_authentication", "invalid_request"],
  // Unlike in OAuth requests, unknown parameters are refused: a misspelled filter would return every charge.
  request: { params: z.object({ mandate_id: z.string() }), query: filterSchema, otherParameters: "refused" },
  responses: { 200: list },
  async handle({ deps, caller }, { params, query }) {
    const { mandate_id: mandateId } = params;
    checkReads(deps, caller, mandateId);
    const body = await listAgentCharges(deps, { clientId: caller.clientId, mandateId, ...toFilters(query) });
    return { status: 200, headers: noStore, body };
  },
});

/**
 * A payer's token reads only the mandates that it names: a client with a token of one payer learns nothing about
 * another payer. The client's own token isn't bound to a mandate, so it reads all mandates of the client.
 * @throws DomainError not_found if the token doesn't name the mandate; OAuthError insufficient_scope.
 */
const checkReads = (deps: Deps, { claims, scopes }: AccessTokenCaller, mandateId: string): void => {
  if (claims.grant_id === undefined) {
    if (scopes.includes("grant_management_query")) return;
    throw insufficientTokenRefusal(deps, "authorization_server", "the client's own token needs grant_management_query");
  }
  if (!claims.authorization_details?.some(({ identifier }) => identifier === mandateId)) throw mandateNotFound();
};
