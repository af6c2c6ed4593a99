import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import type { Auth, Endpoint } from "../../contract/endpoint.ts";
import { scopeMeanings } from "../../oauth/server-metadata.ts";
import { limitClassOf } from "../limits/rate-limit.ts";
import { toResponses } from "./openapi-responses.ts";

const scopes = Object.fromEntries(scopeMeanings());

export const securitySchemes = {
  privateKeyJwt: {
    type: "http",
    scheme: "private_key_jwt",
    description:
      "private_key_jwt (RFC 7523 §2.2): `client_assertion` and `client_assertion_type` in the form. No Authorization header.",
  },
  initialAccessToken: {
    type: "http",
    scheme: "bearer",
    description: "Initial access token (RFC 7591 §3). Required in production, optional in the sandbox",
  },
  registrationAccessToken: {
    type: "http",
    scheme: "bearer",
    description: "The registration access token from the registration response (RFC 7592 §3)",
  },
  accessToken: {
    type: "oauth2",
    description: "Access token as Bearer, or as DPoP with a proof (RFC 9449 §7)",
    flows: {
      clientCredentials: { tokenUrl: "/oauth/token", scopes },
      authorizationCode: {
        authorizationUrl: "/oauth/authorize",
        tokenUrl: "/oauth/token",
        refreshUrl: "/oauth/token",
        scopes,
      },
    },
  },
} as const;

const securityOf = (auth: Auth): NonNullable<ZodOpenApiOperationObject["security"]> => {
  switch (auth.kind) {
    case "none":
      return auth.initialToken ? [{ initialAccessToken: [] }, {}] : [];
    case "client":
    case "pending_client":
      return [{ privateKeyJwt: [] }];
    case "registration_token":
      return [{ registrationAccessToken: [] }];
    case "access_token":
      return [auth.scope, ...(auth.orScope === undefined ? [] : [auth.orScope])].map((scope) => ({
        accessToken: scope === null ? [] : [scope],
      }));
  }
};

const contentTypes = { form: "application/x-www-form-urlencoded", json: "application/json" } as const;

/** One contract as an OpenAPI 3.1 operation. */
const toOperation = (endpoint: Endpoint): ZodOpenApiOperationObject => {
  const { request } = endpoint;
  const headers = Object.entries(request.headers ?? {}).map(([name, header]) => [
    name,
    header.required ? z.string().describe(header.description) : z.string().describe(header.description).optional(),
  ]);
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    ...(endpoint.standards.length > 0 ? { description: `Implements ${endpoint.standards.join(", ")}.` } : {}),
    tags: [endpoint.tag],
    ...(limitClassOf(endpoint) === "none" ? {} : { "x-rate-limit": limitClassOf(endpoint) }),
    ...(request.maxBytes === undefined ? {} : { "x-max-body-bytes": request.maxBytes }),
    security: securityOf(endpoint.auth),
    requestParams: {
      ...(request.params ? { path: request.params as z.ZodObject } : {}),
      ...(request.query ? { query: request.query as z.ZodObject } : {}),
      ...(headers.length > 0 ? { header: z.object(Object.fromEntries(headers)) } : {}),
    },
    ...(request.content && request.body
      ? {
          requestBody: {
            required: !request.mayBeAbsent,
            content: {
              [contentTypes[request.content]]: {
                schema: request.body,
                ...(request.example === undefined ? {} : { example: request.example }),
              },
            },
          },
        }
      : {}),
    responses: toResponses(endpoint),
  };
};

/** @throws Error if two endpoints share a path and method: the library would silently drop one. */
export const toPaths = (endpoints: readonly Endpoint[]): ZodOpenApiPathsObject => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const method = endpoint.method.toLowerCase();
    const item = paths[endpoint.path] ?? {};
    if (item[method]) throw new Error(`${endpoint.method} ${endpoint.path} is defined twice`);
    item[method] = toOperation(endpoint);
    paths[endpoint.path] = item;
  }
  return paths;
};
