import { defineEndpoint } from "../../contract/endpoint.ts";
import { getLogo } from "../../merchants/logo/get-logo.ts";
import { logoParams, logoReply, logoResponses } from "./logo-reply.ts";

/** The logo at a URL never changes. It is cached only briefly, because it may be removed or its merchant suspended. */
const cacheControl = "public, max-age=300, must-revalidate";

export const merchantLogoEndpoint = defineEndpoint({
  method: "GET",
  path: "/logos/{merchant_id}/{hash}",
  operationId: "getMerchantLogo",
  summary: "The logo of an approved merchant, as the consent page shows it",
  tag: "Merchants",
  standards: ["RFC 9111"],
  auth: { kind: "none" },
  rateLimit: "open",
  errors: "problem",
  errorCodes: ["invalid_request", "not_found"],
  request: { params: logoParams },
  responses: logoResponses,
  async handle({ deps, request }, { params: { merchant_id: merchantId, hash } }) {
    const logo = await getLogo(deps, { merchantId, hash });
    return logoReply(request, { ...logo, hash, cacheControl });
  },
});
