import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import { businessClockOf, systemClock } from "#server/kernel/time/clock.ts";
import { readAuthorizationDetails } from "#server/mandates/details/validate-authorization-details.ts";
import { announceListening, merchantResource, merchantScope, readPeerOptions } from "./peer-wire.ts";

const { port, issuer, clientId, clientJwk, redirectUri } = readPeerOptions();
const { privateKey } = await generateKeyPair("ES256", { extractable: true });

/** Payers see these values, so the peer checks them as our server does. It doesn't look up the merchants, however. */
const validate = async (_context: unknown, item: unknown): Promise<void> => {
  const at = await businessClockOf(systemClock).now();
  readAuthorizationDetails({ config: { baseUrl: issuer } }, { raw: [item], replaceable: null, at });
};

/**
 * The peer has the same features as our server. Otherwise it keeps its defaults, in particular the in-memory adapter.
 */
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      grant_types: ["authorization_code", "client_credentials"],
      response_types: ["code"],
      redirect_uris: [redirectUri],
      application_type: "native",
      scope: merchantScope,
      id_token_signed_response_alg: "ES256",
      jwks: { keys: [clientJwk] },
      authorization_details_types: ["payment_mandate_v1"],
    },
  ],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "peer" }] },
  clientAuthMethods: ["private_key_jwt"],
  scopes: merchantScope.split(" "),
  cookies: { keys: ["bench"] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        scope: merchantScope,
        audience: merchantResource(issuer),
        accessTokenTTL: 600,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "ES256" } },
      }),
    },
    richAuthorizationRequests: {
      enabled: true,
      types: { payment_mandate_v1: { validate } },
      authorizationDetailsForGrantSource: () => undefined,
      authorizationDetailsForAccessToken: () => undefined,
      authorizationDetailsForIntrospection: () => undefined,
    },
  },
  ttl: { ClientCredentials: 600 },
});

provider.listen(port, "127.0.0.1", announceListening);
