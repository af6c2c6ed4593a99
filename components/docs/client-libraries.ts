import { clientPackagePath } from "./client-package.ts";

type ClientLibrary = { name: string; language: string; text: string; code: (issuer: string) => string };

/** openid-client and oauth4webapi refuse http addresses by default. Only examples for an http issuer allow them. */
const isHttp = (issuer: string): boolean => issuer.startsWith("http:");
const openidClientHttp = '{ algorithm: "oauth2", execute: [client.allowInsecureRequests] }';
const oauth4webapiHttp = '{ algorithm: "oauth2", [oauth.allowInsecureRequests]: true }';

/**
 * How libraries find the metadata. The tests in e2e/http/client and e2e/http/outside run @paygrant/client,
 * openid-client, oauth4webapi and Authlib against this service. The code for Spring Security and AppAuth follows their
 * own documentation.
 */
export const clientLibraries: readonly ClientLibrary[] = [
  {
    name: "@paygrant/client",
    language: "TypeScript",
    text: "Paygrant’s own package for Node and browsers. This server offers it for download. It makes the keys, signs assertions and DPoP proofs, and repeats requests where this is safe.",
    code: (issuer) => `// npm install ${issuer}${clientPackagePath}
import * as paygrant from "@paygrant/client";

const server = await paygrant.discover("${issuer}");
const agent = await paygrant.registerClient(server, { clientName, redirectUris: [redirectUri] });
const request = await paygrant.pushMandateRequest(agent, { redirectUri, authorizationDetails });
const grant = await paygrant.exchangeCode(agent, { callbackUrl, request });`,
  },
  {
    name: "openid-client",
    language: "TypeScript",
    text: "Version 6 looks for OpenID configuration unless `algorithm` is `oauth2`. Pass the same option to `dynamicClientRegistration`. An http address also needs `execute: [client.allowInsecureRequests]`. Use this option on your own machine only.",
    code: (issuer) => `import * as client from "openid-client";

const config = await client.discovery(
  new URL("${issuer}"),
  clientId,
  { token_endpoint_auth_method: "private_key_jwt" },
  client.PrivateKeyJwt({ key: privateKey, kid }),
  ${isHttp(issuer) ? openidClientHttp : '{ algorithm: "oauth2" }'},
);
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });`,
  },
  {
    name: "oauth4webapi",
    language: "TypeScript",
    text: "`discoveryRequest` looks for OpenID configuration unless `algorithm` is `oauth2`. An http address also needs `[oauth.allowInsecureRequests]: true` in the options of every call. Use this option on your own machine only.",
    code: (issuer) => `import * as oauth from "oauth4webapi";

const issuer = new URL("${issuer}");
const response = await oauth.discoveryRequest(issuer, ${isHttp(issuer) ? oauth4webapiHttp : '{ algorithm: "oauth2" }'});
const server = await oauth.processDiscoveryResponse(issuer, response);`,
  },
  {
    name: "Authlib",
    language: "Python",
    text: "`get_well_known_url` returns the address of the metadata. Fetch the metadata, and validate it as `AuthorizationServerMetadata`.",
    code: (issuer) => `import requests
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

address = get_well_known_url("${issuer}", external=True, suffix="oauth-authorization-server")
metadata = AuthorizationServerMetadata(requests.get(address).json())
metadata.validate()`,
  },
  {
    name: "Spring Security",
    language: "Java",
    text: "`ClientRegistrations.fromIssuerLocation` tries both kinds of OpenID configuration and then RFC 8414, so the issuer is enough. `fromOidcIssuerLocation` tries OpenID configuration alone and fails.",
    code: (issuer) => `ClientRegistration registration = ClientRegistrations
    .fromIssuerLocation("${issuer}")
    .clientAuthenticationMethod(ClientAuthenticationMethod.PRIVATE_KEY_JWT)
    .clientId(clientId)
    .build();`,
  },
  {
    name: "AppAuth",
    language: "Java",
    text: "`fetchFromIssuer` reads only OpenID configuration. Name the endpoints instead. The request must be pushed first: send its parameters to `/oauth/par` and open the authorization endpoint with the `request_uri` of the response.",
    code: (issuer) => `AuthorizationServiceConfiguration configuration = new AuthorizationServiceConfiguration(
    Uri.parse("${issuer}/oauth/authorize"),
    Uri.parse("${issuer}/oauth/token"));`,
  },
];
