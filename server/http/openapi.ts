import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { scopeMeanings } from "../oauth/server-metadata.ts";
import type { Auth, Endpoint, ResponseContract } from "./endpoint.ts";

const oauthError = z.object({ error: z.string(), error_description: z.string() });
const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

export const securitySchemes = {
  privateKeyJwt: {
    type: "http",
    scheme: "private_key_jwt",
    description:
      "private_key_jwt (RFC 7523 §2.2): `client_assertion` and `client_assertion_type` in the form. No Authorization header.",
  },
  accessToken: {
    type: "oauth2",
    description: "Access token as Bearer, or as DPoP with a proof (RFC 9449 §7)",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth/token",
        scopes: scopeMeanings(),
      },
    },
  },
} as const;

const securityOf = (auth: Auth): NonNullable<ZodOpenApiOperationObject["security"]> => {
  switch (auth.kind) {
    case "none":
      return [];
    case "client":
      return [{ privateKeyJwt: [] }];
    case "access_token":
      return [{ accessToken: auth.scope === null ? [] : [auth.scope] }];
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
    security: securityOf(endpoint.auth),
    requestParams: {
      ...(request.params ? { path: request.params as z.ZodObject } : {}),
      ...(request.query ? { query: request.query as z.ZodObject } : {}),
      ...(headers.length > 0 ? { header: z.object(Object.fromEntries(headers)) } : {}),
    },
    ...(request.content && request.body
      ? {
          requestBody: {
            required: true,
            content: {
              [contentTypes[request.content]]: {
                schema: request.body,
                ...(request.example === undefined ? {} : { example: request.example }),
              },
            },
          },
        }
      : {}),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  };
};

const successes = (endpoint: Endpoint): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, response]) => [
      status,
      { description: response.description, ...(hasBody(response) ? { content: contentOf(response) } : {}) },
    ]),
  );

const hasBody = (response: ResponseContract): boolean =>
  response.schema !== undefined || response.contentType !== undefined;

const contentOf = (response: ResponseContract) =>
  Object.fromEntries(
    Object.entries({ [response.contentType ?? "application/json"]: response, ...response.alternatives }).map(
      ([type, { schema, example }]) => [
        type,
        { schema: schema ?? z.string(), ...(example === undefined ? {} : { example }) },
      ],
    ),
  );

const failures = (endpoint: Endpoint): ZodOpenApiResponsesObject => {
  const codes = endpoint.errorCodes.length > 0 ? ` Codes: ${endpoint.errorCodes.join(", ")}.` : "";
  switch (endpoint.errors) {
    case "oauth":
      return {
        default: {
          description: `Error (RFC 6749 §5.2).${codes}`,
          content: {
            "application/json": {
              schema: oauthError,
              example: { error: endpoint.errorCodes[0] ?? "invalid_request", error_description: "what is wrong" },
            },
          },
        },
      };
    case "problem":
      return {
        default: {
          description: `Problem details (RFC 9457).${codes}`,
          content: {
            "application/problem+json": {
              schema: problem,
              example: {
                type: "/docs/errors#invalid_request",
                title: "Invalid request",
                status: 400,
                detail: "A field is missing or malformed.",
              },
            },
          },
        },
      };
    case "page":
      return {
        default: { description: "A page that says what is wrong", content: { "text/html": { schema: z.string() } } },
      };
  }
};

/** @throws Error where two endpoints share a path and method: the later one would be lost without a word. */
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
