import { z } from "zod";
import { cacheable } from "../../contract/cacheable.ts";
import type { EndpointRequest, RawReply } from "../../contract/endpoint.ts";
import type { MerchantLogo } from "../../data/merchants/merchant-logos.ts";
import { isSha256Base64url } from "../../kernel/crypto/hash.ts";

export const logoParams = z.object({
  merchant_id: z.string().max(64),
  hash: z.string().refine(isSha256Base64url, "must be a hash"),
});

export const logoResponses = {
  200: { description: "The picture: PNG, JPEG or WebP", contentType: "image/png", example: "…" },
  304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
} as const;

/** The hash of the content is its entity tag. */
export const logoReply = (
  request: EndpointRequest,
  { mediaType, content, hash, cacheControl }: MerchantLogo & { hash: string; cacheControl: string },
): RawReply => {
  const picture = { body: new Uint8Array(content), contentType: mediaType, etag: `"${hash}"`, cacheControl };
  const reply = cacheable(request, picture);
  return {
    ...reply,
    headers: {
      ...reply.headers,
      // A picture that is opened as a page must not run scripts or load anything.
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    },
  };
};
