import type { Client } from "../clients/client.ts";
import { signWith } from "./key-pair.ts";

const assertionSeconds = 60;

/** The form fields by which a client authenticates: a new JWT for each request (RFC 7523 §2.2; FAPI 2.0 §5.3.2.1). */
export const assertionFields = async ({
  clientId,
  clientKey,
  server,
}: Pick<Client, "clientId" | "clientKey" | "server">): Promise<Record<string, string>> => {
  const iat = Math.floor(Date.now() / 1000);
  const header = { typ: "client-authentication+jwt", kid: clientKey.publicJwk.kid };
  const identity = { iss: clientId, sub: clientId, aud: server.issuer, jti: crypto.randomUUID() };
  return {
    client_id: clientId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await signWith(clientKey, header, { ...identity, iat, exp: iat + assertionSeconds }),
  };
};
