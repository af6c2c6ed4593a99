import { RequestError } from "../errors/errors.ts";
import { assertAddress, assertServerAddress } from "../http/addresses.ts";
import type { CallOptions } from "../http/call-options.ts";
import { getJson } from "../http/get-json.ts";
import { type Members, textIn, textsIn } from "../wire/members.ts";

/** An authorization server, as its metadata describes it (RFC 8414). */
export type Server = {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  pushedAuthorizationRequestEndpoint: string;
  registrationEndpoint: string;
  revocationEndpoint: string;
  jwksUri: string;
  /** URL of the merchant API */
  merchantResource: string;
  /** URLs of all protected resources of the server (RFC 9728): the merchant API, the directory and others */
  protectedResources: string[];
  grantTypesSupported: string[];
  scopesSupported: string[];
  authorizationDetailsTypesSupported: string[];
};

/** The well-known part is inserted between host and path (RFC 8414 §3.1). */
const metadataAddress = (issuer: string): string => {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname === "/" ? "" : pathname}`;
};

const addressIn = (metadata: Members, name: string): string => assertServerAddress(textIn(metadata, name), name);

const findMerchantResource = (metadata: Members): string => {
  const found = textsIn(metadata, "protected_resources").find((resource) => resource.endsWith("/merchant_test"));
  if (found === undefined) throw new RequestError("invalid_response", "The server has no merchant API.");
  return assertServerAddress(found, "protected_resources");
};

/**
 * Reads the server's metadata (RFC 8414).
 * @param issuer the server's URL, exactly as in `issuer` of its metadata.
 */
export const discover = async (
  issuer: string,
  _parameters: Record<string, never> = {},
  options: CallOptions = {},
): Promise<Server> => {
  assertAddress(issuer, "issuer");
  const metadata = await getJson(metadataAddress(issuer), options);
  // RFC 8414 §3.3: otherwise another server could pretend to be this server.
  if (metadata["issuer"] !== issuer) {
    throw new RequestError(
      "invalid_response",
      "The metadata describes another issuer. Use the issuer exactly as published.",
    );
  }
  return {
    issuer,
    authorizationEndpoint: addressIn(metadata, "authorization_endpoint"),
    tokenEndpoint: addressIn(metadata, "token_endpoint"),
    pushedAuthorizationRequestEndpoint: addressIn(metadata, "pushed_authorization_request_endpoint"),
    registrationEndpoint: addressIn(metadata, "registration_endpoint"),
    revocationEndpoint: addressIn(metadata, "revocation_endpoint"),
    jwksUri: addressIn(metadata, "jwks_uri"),
    merchantResource: findMerchantResource(metadata),
    protectedResources: textsIn(metadata, "protected_resources"),
    grantTypesSupported: textsIn(metadata, "grant_types_supported"),
    scopesSupported: textsIn(metadata, "scopes_supported"),
    authorizationDetailsTypesSupported: textsIn(metadata, "authorization_details_types_supported"),
  };
};
