import type { Deps } from "../deps/deps.ts";
import type { ResourceName } from "../kernel/resource-name.ts";
import { authorizationDetailsTypes } from "../mandates/details/authorization-details-types.ts";
import { supportedGrantTypes } from "./grants/grant-token.ts";
import { assertionAlgorithms } from "./rules/clients/client-assertion.ts";
import {
  type ClientKind,
  resourceMetadataUrl,
  resourceNames,
  resourceUri,
  scopeRules,
  supportedScopes,
} from "./rules/scopes.ts";
import { dpopAlgorithms } from "./rules/tokens/dpop.ts";
import { acrValues } from "./rules/tokens/tokens.ts";
import { introspectionAlgorithms } from "./tokens/sign-introspection.ts";

/** Scope descriptions for people: all scopes, or those of one kind of client. */
export const scopeMeanings = (kind?: ClientKind): [scope: string, meaning: string][] =>
  Object.entries(scopeRules).flatMap(([scope, rule]) =>
    kind === undefined || rule.kind === kind || rule.kind === "both" ? [[scope, rule.meaning]] : [],
  );

/** RFC 8414 §2. Scopes, grant types, algorithms, details types and resources are derived from the code that runs. */
export const serverMetadata = ({ config }: Pick<Deps, "config">) => {
  const at = (path: string) => `${config.baseUrl}${path}`;
  return {
    issuer: config.baseUrl,
    authorization_endpoint: at("/oauth/authorize"),
    token_endpoint: at("/oauth/token"),
    pushed_authorization_request_endpoint: at("/oauth/par"),
    require_pushed_authorization_requests: true,
    registration_endpoint: at("/oauth/register"),
    revocation_endpoint: at("/oauth/revoke"),
    introspection_endpoint: at("/oauth/introspect"),
    jwks_uri: at("/.well-known/jwks.json"),
    service_documentation: at("/docs"),
    scopes_supported: supportedScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: supportedGrantTypes,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: ["private_key_jwt"],
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: ["private_key_jwt"],
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_signing_alg_values_supported: introspectionAlgorithms,
    code_challenge_methods_supported: ["S256"],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    authorization_response_iss_parameter_supported: true,
    authorization_details_types_supported: Object.keys(authorizationDetailsTypes),
    authorization_details_types_metadata_endpoint: at("/oauth/authorization-details-types"),
    grant_management_endpoint: at("/oauth/grants"),
    grant_management_actions_supported: ["create", "query", "revoke", "replace"],
    acr_values_supported: acrValues,
    protected_resources: resourceNames.map((resource) => resourceUri(resource, config)),
  };
};

/** The URL of each resource's metadata. */
export const resourceMetadataUrls = ({ config }: Pick<Deps, "config">): string[] =>
  resourceNames.map((resource) => resourceMetadataUrl(resource, config));

/** RFC 9728 §2. */
export const resourceMetadata = ({ config }: Deps, resource: ResourceName) => ({
  resource: resourceUri(resource, config),
  authorization_servers: [config.baseUrl],
  // The directory signs entries with keys of its own.
  ...(resource === "directory" ? { jwks_uri: `${config.discoveryUrl}/v1/jwks` } : {}),
  scopes_supported: supportedScopes.filter((scope) => scopeRules[scope]?.resource === resource),
  bearer_methods_supported: ["header"],
  dpop_signing_alg_values_supported: dpopAlgorithms,
  resource_documentation: `${config.baseUrl}/docs`,
});
