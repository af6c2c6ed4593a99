import type { Deps } from "../deps/deps.ts";
import { statedLimits } from "../directory/participants/limits.wire.ts";
import type { ServerEntry } from "../directory/participants/participant.wire.ts";
import { currencies, maxAmountMinor } from "../kernel/money/money.ts";
import { maxDetailsItems } from "../mandates/details/details-rules.ts";
import { requestUriSeconds } from "./rules/tokens/tokens.ts";
import { resourceMetadataUrls, serverMetadata } from "./server-metadata.ts";

/** The authorization server's own directory entry, from its published metadata (RFC 8414, RFC 9728). */
export const serverEntry = (deps: Pick<Deps, "config">): ServerEntry => {
  const metadata = serverMetadata(deps);
  return {
    issuer: metadata.issuer,
    capabilities: {
      grant_types: [...metadata.grant_types_supported],
      pushed_authorization_requests: metadata.require_pushed_authorization_requests,
      dpop_bound_access_tokens: true,
      authorization_details_types: metadata.authorization_details_types_supported,
      currencies: [...currencies],
      webhooks: true,
      limits: {
        ...statedLimits([]),
        authorization_details: { max_items: maxDetailsItems, max_amount: Number(maxAmountMinor) },
        request_uri_lifetime_seconds: requestUriSeconds,
        client_rate_limit: deps.config.rateLimits.classes.signed.client,
      },
    },
    metadataDocuments: [`${deps.config.baseUrl}/.well-known/oauth-authorization-server`, ...resourceMetadataUrls(deps)],
  };
};
