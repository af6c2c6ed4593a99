import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { isSha256Base64url } from "../../kernel/crypto/hash.ts";
import { getLogo } from "../../merchants/logo/get-logo.ts";

/** A year, the longest useful value: the hash in the address changes with the picture. */
const cacheControl = "public, max-age=31536000, immutable";

export const merchantLogoEndpoint = defineEndpoint({
  method: "GET",
  path: "/logos/{merchant_id}/{hash}",
  operationId: "getMerchantLogo",
  summary: "The logo of a merchant, as the consent page shows it",
  tag: "Merchants",
  standards: ["RFC 8246"],
  auth: { kind: "none" },
  rateLimit: "open",
  errors: "problem",
  errorCodes: ["invalid_request", "not_found"],
  request: {
    params: z.object({ merchant_id: z.string().max(64), hash: z.string().refine(isSha256Base64url, "must be a hash") }),
  },
  responses: {
    200: { description: "The picture: PNG, JPEG or WebP", contentType: "image/png", example: "…" },
  },
  async handle({ deps }, { params: { merchant_id: merchantId, hash } }) {
    const logo = await getLogo(deps, { merchantId, hash });
    return {
      status: 200,
      contentType: logo.mediaType,
      headers: {
        "cache-control": cacheControl,
        // A picture that is opened as a page runs nothing and loads nothing.
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
      },
      body: new Uint8Array(logo.content),
    };
  },
});
