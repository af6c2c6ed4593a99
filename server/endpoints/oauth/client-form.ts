import { z } from "zod";

/** Parameters of every request that authenticates by private_key_jwt (RFC 7523 §2.2). Unknown ones are ignored. */
export const clientForm = {
  client_id: z.string().optional(),
  client_assertion_type: z.literal("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
  client_assertion: z
    .string()
    .describe("JWT signed with a registered key. `aud` is the issuer. Use each `jti` only once"),
};

export const clientErrors = ["invalid_request", "invalid_client", "temporarily_unavailable"] as const;

/** Errors that PAR and the token endpoint share. */
export const permissionErrors = [
  "invalid_scope",
  "invalid_target",
  "invalid_authorization_details",
  "invalid_dpop_proof",
  "use_dpop_nonce",
] as const;
