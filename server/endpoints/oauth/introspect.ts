import { z } from "zod";
import { negotiate } from "../../contract/accept.ts";
import type { AuthenticatedClient } from "../../contract/callers.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { DomainError } from "../../kernel/errors.ts";
import { rememberBy } from "../../kernel/remember-by.ts";
import { type Introspection, introspectToken } from "../../oauth/tokens/introspect-token.ts";
import { signIntrospection } from "../../oauth/tokens/sign-introspection.ts";
import { clientErrors, clientForm } from "./client-form.ts";

const jsonType = "application/json";
const jwtType = "application/token-introspection+jwt";

const headers = { ...noStoreTokens, vary: "Accept" };

export const introspectEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/introspect",
  operationId: "introspectToken",
  summary: "Check whether a token is active. The caller must be the token's client or audience",
  tag: "Authorization server",
  standards: ["RFC 7662", "RFC 9701"],
  auth: { kind: "pending_client" },
  rateLimit: "introspection",
  errors: "oauth",
  errorCodes: clientErrors,
  isPublic: true,
  request: {
    content: "form",
    body: z.object({ ...clientForm, token: z.string("is missing"), token_type_hint: z.string().optional() }),
    example: {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJ…",
      token: "eyJ…",
    },
  },
  responses: {
    200: {
      description: 'The claims of an active token, or `{"active":false}` for any other token',
      schema: z.looseObject({ active: z.boolean() }),
      example: { active: false },
      alternatives: {
        [jwtType]: {
          example: "eyJhbGciOiJFUzI1NiIsInR5cCI6InRva2VuLWludHJvc3BlY3Rpb24rand0In0.eyJpc3MiOiLigKYifQ.c2ln",
        },
      },
      headers: { "cache-control": "no-store", vary: "Accept" },
    },
  },
  async handle({ deps, caller, request }, { body }) {
    const accept = request.headers.get("accept");
    const { client, introspection } = await introspectToken(deps, {
      pending: caller,
      token: body.token,
      isAnswerable: findAnswerType(caller.client, accept) !== null,
    });
    const type = answerType(client, accept);
    if (type === jsonType) return { status: 200, headers, body: toJson(introspection), contentType: jsonType };
    const jwt = signIntrospection(deps, { client, introspection });
    return { status: 200, headers, body: jwt, contentType: jwtType };
  },
});

/** Cached, because merchants introspect the same token repeatedly. */
const toJson = rememberBy((introspection: Introspection): string => JSON.stringify(introspection));

type AnswerType = typeof jsonType | typeof jwtType;
type Answered = Pick<AuthenticatedClient, "introspectionAlg">;

/** A client that registered signed responses never gets an unsigned one, whatever its Accept header (RFC 9701 §6). */
const findAnswerType = (client: Answered, accept: string | null): AnswerType | null =>
  client.introspectionAlg === null ? negotiate(accept, [jsonType, jwtType]) : jwtType;

const answerType = (client: Answered, accept: string | null): AnswerType => {
  const type = findAnswerType(client, accept);
  if (type !== null) return type;
  throw new DomainError("invalid", {
    code: "not_acceptable",
    message: `The response is available as ${jsonType} or ${jwtType}.`,
    headers,
  });
};
