import type { Deps } from "../deps/deps.ts";
import type { ServerEntry } from "../directory/participants/participant.wire.ts";
import { currencies } from "../kernel/money/money.ts";
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
    },
    metadataDocuments: [`${deps.config.baseUrl}/.well-known/oauth-authorization-server`, ...resourceMetadataUrls(deps)],
  };
};
