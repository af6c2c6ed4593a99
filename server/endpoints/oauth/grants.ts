import { z } from "zod";
import type { AccessTokenCaller } from "../../contract/callers.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { OAuthError } from "../../kernel/errors.ts";
import { queryGrant } from "../../oauth/grants/query-grant.ts";
import { revokeGrant } from "../../oauth/grants/revoke-grant.ts";

const contract = {
  path: "/oauth/grants/{grant_id}",
  tag: "Authorization server",
  standards: ["Grant Management for OAuth 2.0"],
  errors: "oauth",
  errorCodes: ["invalid_token", "insufficient_scope", "invalid_dpop_proof", "use_dpop_nonce", "invalid_grant_id"],
  request: { params: z.object({ grant_id: z.string() }) },
} as const;

const auth = { kind: "access_token", resource: "authorization_server" } as const;

const grantStatus = z.object({
  scopes: z.array(z.object({ scope: z.string(), resource: z.array(z.string()) })),
  authorization_details: z.array(z.looseObject({ type: z.string(), identifier: z.string() })),
  created_at: z.int(),
  last_updated: z.int(),
  updated_by: z.enum(["client", "authorization_server"]),
  expires_at: z.int(),
});

export const queryGrantEndpoint = defineEndpoint({
  ...contract,
  method: "GET",
  operationId: "queryGrant",
  summary: "Read one of the client’s own grants",
  standards: [...contract.standards, "RFC 9470"],
  auth: { ...auth, scope: "grant_management_query", limitsAuthenticationAge: true },
  errorCodes: [...contract.errorCodes, "insufficient_user_authentication"],
  responses: {
    200: {
      description: "The granted scopes and authorization_details, with the identifier of each mandate",
      schema: grantStatus,
      example: {
        scopes: [{ scope: "grant_management_query", resource: ["https://pay.example"] }],
        authorization_details: [
          {
            type: "payment_mandate_v1",
            identifier: "mdt_…",
            actions: ["charge"],
            currency: "EUR",
            max_total_amount: 6000,
          },
        ],
        created_at: 1795219200,
        last_updated: 1795219200,
        updated_by: "client",
        expires_at: 1826755200,
      },
    },
  },
  async handle({ deps, caller }, { params }) {
    checkNames(caller, params.grant_id);
    const body = await queryGrant(deps, { grantId: params.grant_id, clientId: caller.clientId });
    if (!body) throw unknownGrantRefusal();
    return { status: 200, headers: noStoreTokens, body };
  },
});

export const revokeGrantEndpoint = defineEndpoint({
  ...contract,
  method: "DELETE",
  operationId: "revokeGrant",
  summary: "Revoke one of the client’s own grants with its mandates and tokens",
  auth: { ...auth, scope: "grant_management_revoke" },
  responses: { 204: { description: "Revoked. A grant that had already ended gets the same response" } },
  async handle({ deps, info, caller }, { params }) {
    checkNames(caller, params.grant_id);
    const isOwn = await revokeGrant(deps, {
      grantId: params.grant_id,
      clientId: caller.clientId,
      requestId: info.requestId,
      reason: "grant revoked by its client",
    });
    if (!isOwn) throw unknownGrantRefusal();
    return { status: 204, headers: noStoreTokens };
  },
});

/**
 * A token of a grant can read and end only that grant, so that its holder can't access another payer's data. A token
 * from client_credentials can access all grants of its client.
 */
const checkNames = ({ claims }: AccessTokenCaller, grantId: string): void => {
  if (claims.grant_id !== undefined && claims.grant_id !== grantId) throw unknownGrantRefusal();
};

/**
 * Unknown grants and other clients' grants get the same answer, so that an id, which isn't secret, reveals nothing
 * (§6.6, §10).
 */
const unknownGrantRefusal = () =>
  new OAuthError("invalid_grant_id", "grant_id is not an active grant of this client", { status: 404 });
