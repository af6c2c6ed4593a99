import { z } from "zod";

/** What every form that authenticates by private_key_jwt carries (RFC 7523 §2.2). Unknown parameters are ignored. */
export const clientForm = {
  client_id: z.string().optional(),
  client_assertion_type: z.literal("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
  client_assertion: z.string().describe("JWT signed by a registered key. `aud` is the issuer, `jti` is used once"),
};

export const clientErrors = ["invalid_request", "invalid_client", "temporarily_unavailable"] as const;

/** What a request for permission can be refused for, at PAR and at the token endpoint alike. */
export const permissionErrors = [
  "invalid_scope",
  "invalid_target",
  "invalid_authorization_details",
  "invalid_dpop_proof",
  "use_dpop_nonce",
] as const;
