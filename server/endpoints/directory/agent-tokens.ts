import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import {
  createAgentToken,
  listAgentTokens,
  maxAgentTokenUses,
  revokeAgentToken,
} from "../../oauth/initial-tokens/agent-tokens.ts";
import { ownContract, ownErrorCodes, participantParams } from "./contract.ts";

const path = "/directory/v1/participants/{participant_id}/initial-access-tokens";

const wishSchema = z.strictObject({
  label: z.string().min(1).max(100).optional().describe("A name of your choice"),
  uses: z
    .int()
    .min(1)
    .max(maxAgentTokenUses)
    .optional()
    .describe("How many agents may register with the token; the default is 1"),
  expires_in: z
    .int()
    .min(60)
    .max(90 * 24 * 3600)
    .optional()
    .describe("In seconds; the default is one day"),
  scopes: z
    .array(z.string().min(1).max(100))
    .min(1, "must contain at least one scope")
    .max(20)
    .optional()
    .describe("Agents may register only these scopes. The default is the scopes of grant management"),
});

export const createAgentTokenEndpoint = defineEndpoint({
  ...ownContract,
  method: "POST",
  path,
  operationId: "createAgentToken",
  summary: "Create an initial access token for agents of a verified participant. It is returned only once",
  standards: ["RFC 7591"],
  errorCodes: [
    "invalid_request",
    "invalid_scope",
    "participant_not_verified",
    "participant_withdrawn",
    "too_many_tokens",
    ...ownErrorCodes,
  ],
  request: {
    content: "json",
    mayBeAbsent: true,
    params: participantParams,
    body: wishSchema,
    example: { label: "Grocer Bot", uses: 5 },
  },
  responses: {
    201: {
      description: "Created",
      schema: z.object({ id: z.string(), initial_access_token: z.string(), expires_at: z.string() }),
      example: {
        id: "iat_5Xk2mNvBq8TzWc4rYsHd6gJp",
        expires_at: "2026-11-22T10:15:00.000Z",
        initial_access_token: "Vr0YtS3cPzq1mW8kXa5nLd7uGh2eJb4fTi6oRw9yQ0A",
      },
    },
  },
  async handle({ deps, info, caller }, { params, body }) {
    const { label, uses, expires_in: ttlSeconds, scopes } = body;
    const { id, token, expiresAt } = await createAgentToken(deps, {
      participantId: params.participant_id,
      clientId: caller.clientId,
      requestId: info.requestId,
      options: {
        ...(label === undefined ? {} : { label }),
        ...(uses === undefined ? {} : { uses }),
        ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
        ...(scopes === undefined ? {} : { scopes }),
      },
    });
    const created = { id, initial_access_token: token, expires_at: expiresAt.toISOString() };
    return { status: 201, headers: noStore, body: created };
  },
});

export const listAgentTokensEndpoint = defineEndpoint({
  ...ownContract,
  method: "GET",
  path,
  operationId: "listAgentTokens",
  summary: "List the initial access tokens that a participant created, newest first",
  errorCodes: ["invalid_request", "participant_not_found", "not_own_participant"],
  request: { params: participantParams, query: pageQuerySchema },
  responses: {
    200: {
      description:
        "Without the token values. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page",
      schema: z.object({
        data: z.array(
          z.object({
            id: z.string(),
            label: z.string().nullable(),
            scopes: z.array(z.string()),
            uses_left: z.int(),
            created_at: z.string(),
            expires_at: z.string(),
            last_used_at: z.string().nullable(),
            revoked_at: z.string().nullable(),
          }),
        ),
        has_more: z.boolean(),
      }),
      example: {
        data: [
          {
            id: "iat_5Xk2mNvBq8TzWc4rYsHd6gJp",
            label: "Grocer Bot",
            scopes: ["grant_management_query"],
            uses_left: 4,
            created_at: "2026-11-21T10:15:00.000Z",
            expires_at: "2026-11-22T10:15:00.000Z",
            last_used_at: "2026-11-21T11:00:00.000Z",
            revoked_at: null,
          },
        ],
        has_more: false,
      },
    },
  },
  async handle({ deps, caller }, { params, query }) {
    const { tokens, hasMore } = await listAgentTokens(deps, {
      participantId: params.participant_id,
      clientId: caller.clientId,
      ...toPage(query),
    });
    const data = tokens.map((token) => ({
      id: token.id,
      label: token.label,
      scopes: token.scopes,
      uses_left: token.usesLeft,
      created_at: token.createdAt.toISOString(),
      expires_at: token.expiresAt.toISOString(),
      last_used_at: token.lastUsedAt?.toISOString() ?? null,
      revoked_at: token.revokedAt?.toISOString() ?? null,
    }));
    return { status: 200, headers: noStore, body: { data, has_more: hasMore } };
  },
});

export const revokeAgentTokenEndpoint = defineEndpoint({
  ...ownContract,
  method: "DELETE",
  path: `${path}/{token_id}`,
  operationId: "revokeAgentToken",
  summary: "Revoke an initial access token. Agents that registered with it keep their registration",
  errorCodes: ["not_found", "participant_not_found", "not_own_participant"],
  request: { params: participantParams.extend({ token_id: z.string() }) },
  responses: { 204: { description: "Revoked. No more agents can register with it" } },
  async handle({ deps, info, caller }, { params }) {
    await revokeAgentToken(deps, {
      participantId: params.participant_id,
      clientId: caller.clientId,
      requestId: info.requestId,
      tokenId: params.token_id,
    });
    return { status: 204, headers: noStore };
  },
});
