import { calculateJwkThumbprint, decodeProtectedHeader, type JWK } from "jose";
import { z } from "zod";
import { negotiate } from "../../contract/accept.ts";
import type { AccessTokenCaller } from "../../contract/callers.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { issueMandateCredential, unknownMandateRefusal } from "../../credentials/issue-mandate-credential.ts";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { JsonObject } from "../../kernel/text/json.ts";

const sdJwtType = "application/dc+sd-jwt";
const vcJwtType = "application/vc+jwt";

export const mandateCredentialEndpoint = defineEndpoint({
  method: "GET",
  path: "/oauth/mandates/{mandate_id}/credential",
  operationId: "getMandateCredential",
  summary: "Get a mandate's credential, which the agent presents to merchants",
  tag: "Mandates",
  standards: ["SD-JWT VC", "RFC 9901", "VC-JOSE-COSE", "W3C VCDM 2.0", "RFC 9470"],
  auth: {
    kind: "access_token",
    resource: "authorization_server",
    scope: null,
    limitsAuthenticationAge: true,
    writes: true,
  },
  errors: "oauth",
  errorCodes: [
    "invalid_request",
    "invalid_token",
    "insufficient_scope",
    "insufficient_user_authentication",
    "invalid_dpop_proof",
    "use_dpop_nonce",
  ],
  request: { params: z.object({ mandate_id: z.string() }) },
  responses: {
    200: {
      description: "An SD-JWT VC. With Accept: application/vc+jwt, a W3C credential as a JWT",
      contentType: sdJwtType,
      example: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImRjK3NkLWp3dCJ9.eyJ2Y3QiOiLigKYifQ.c2lnbmF0dXJl~WyJzYWx0IiwibmFtZSIsMV0~",
      alternatives: {
        [vcJwtType]: { example: "eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK2p3dCJ9.eyJ0eXBlIjoi4oCmIn0.c2lnbmF0dXJl" },
      },
      headers: { "cache-control": "no-store", vary: "Accept" },
    },
  },
  async handle({ deps, info, caller, request }, { params }) {
    const type = negotiate(request.headers.get("accept"), [sdJwtType, vcJwtType]);
    if (type === null) {
      throw new DomainError("invalid", {
        code: "not_acceptable",
        message: `The credential is available as ${sdJwtType} or ${vcJwtType}.`,
        headers: { vary: "Accept" },
      });
    }
    const held = detailsOf(caller, params.mandate_id);
    if (!held) throw unknownMandateRefusal();
    const body = await issueMandateCredential(deps, {
      mandateId: params.mandate_id,
      clientId: caller.clientId,
      held,
      format: type === sdJwtType ? "dc+sd-jwt" : "vc+jwt",
      confirmationKey: await confirmationKeyOf(caller, request.headers.get("dpop")),
      requestId: info.requestId,
    });
    return { status: 200, headers: { "cache-control": "no-store", vary: "Accept" }, body, contentType: type };
  },
});

const detailsOf = ({ claims }: AccessTokenCaller, mandateId: string): AuthorizationDetails | undefined =>
  claims.authorization_details?.find(({ identifier }) => identifier === mandateId);

/**
 * The key of the token's `cnf.jkt`, taken from the request's own proof. The proof has already been verified, and only a
 * key with exactly that thumbprint is accepted. A bearer token contains the key that signed the token request.
 */
const confirmationKeyOf = async (caller: AccessTokenCaller, proof: string | null): Promise<JsonObject | null> => {
  const { jkt, claims } = caller;
  if (jkt === null) return claims.request_jwk ?? null;
  if (proof === null) return null;
  const { jwk } = decodeProtectedHeader(proof);
  if (!jwk || (await calculateJwkThumbprint(jwk)) !== jkt) return null;
  return publicMembers(jwk);
};

/** The members that the thumbprint covers, without others that a client may have added (RFC 7638 §3.2). */
const publicMembers = (jwk: JWK): JsonObject => {
  const members = Object.entries(jwk).filter(([name]) => ["kty", "crv", "x", "y", "n", "e"].includes(name));
  return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
};
