import { z } from "zod";
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { Endpoint, ResponseContract } from "../../contract/endpoint.ts";
import { limitClassOf } from "../limits/rate-limit.ts";
import { rulesAt } from "./rules-at.ts";

const oauthError = (codes: readonly string[]) =>
  z.object({ error: z.string().describe(listed(codes)), error_description: z.string() });
const problem = (codes: readonly string[]) =>
  z.looseObject({
    type: z.string().describe(`Ends in #${listed(codes)}`),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  });

const listed = (codes: readonly string[]): string => codes.join(", ") || "the error code";

/** The responses of an endpoint: each success, and the errors in the endpoint's shape. */
export const toResponses = (endpoint: Endpoint): ZodOpenApiResponsesObject => ({
  ...Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, response]) => [status, success(endpoint, response)]),
  ),
  ...failures(endpoint),
});

const success = (endpoint: Endpoint, response: ResponseContract): ZodOpenApiResponseObject => ({
  description: response.description,
  headers: headersOf({ ...limitHeaders(endpoint), ...response.headers }),
  ...(hasBody(response) ? { content: contentOf(response) } : {}),
});

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

const headersOf = (headers: Readonly<Record<string, string>>): NonNullable<ZodOpenApiResponseObject["headers"]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );

/** The error codes of the contract and of the rules that apply to its requests. */
const codesOf = (endpoint: Endpoint): string[] => [
  ...new Set([...endpoint.errorCodes, ...rulesAt(endpoint).map(({ error }) => error)]),
];

const isLimited = (endpoint: Endpoint): boolean => limitClassOf(endpoint) !== "none";

/** draft-ietf-httpapi-ratelimit-headers-11; responses to callers without a limit have neither header. */
const limitHeaders = (endpoint: Endpoint): Readonly<Record<string, string>> =>
  isLimited(endpoint)
    ? {
        "RateLimit-Policy":
          "For each policy, `q` is the number of requests in the quota, and `w` the number of seconds until the whole quota is available again",
        RateLimit:
          "For each policy, `r` is the number of requests left and `t` the number of seconds until one more is allowed",
      }
    : {};

const failures = (endpoint: Endpoint): ZodOpenApiResponsesObject => {
  const tooMany = {
    status: 429,
    code: "too_many_requests",
    detail: "Too many requests from this address. Try again later.",
  };
  return {
    ...(isLimited(endpoint)
      ? {
          429: {
            description: "Too many requests; RateLimit-Policy has the limits",
            headers: headersOf({ "Retry-After": "Seconds to wait", ...limitHeaders(endpoint) }),
            content: errorContent(endpoint, tooMany, [
              endpoint.errors === "oauth" ? "temporarily_unavailable" : tooMany.code,
            ]),
          },
        }
      : {}),
    default: {
      description: shapes[endpoint.errors],
      content: errorContent(
        endpoint,
        {
          status: 400,
          code: "invalid_request",
          detail: "A field is missing or malformed. Correct the fields in errors.",
        },
        codesOf(endpoint),
      ),
      ...(endpoint.errors === "page" ? {} : { "x-error-codes": codesOf(endpoint) }),
    },
  };
};

const shapes: Readonly<Record<Endpoint["errors"], string>> = {
  oauth: "Error (RFC 6749 §5.2)",
  problem: "Problem details (RFC 9457)",
  page: "An error page",
};

type Example = { status: number; code: string; detail: string };

const problemExample = ({ status, code, detail }: Example) => ({
  type: `/docs/errors#${code}`,
  title: `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`,
  status,
  detail,
});

const errorContent = (
  endpoint: Pick<Endpoint, "errors">,
  { status, code, detail }: Example,
  codes: readonly string[],
) => {
  switch (endpoint.errors) {
    case "oauth": {
      const [error = code] = codes;
      return {
        "application/json": {
          schema: oauthError(codes),
          example: { error, error_description: status === 429 ? detail : "A description of the error" },
        },
      };
    }
    case "problem": {
      return {
        "application/problem+json": { schema: problem(codes), example: problemExample({ status, code, detail }) },
      };
    }
    case "page":
      return { "text/html": { schema: z.string() } };
  }
};

const restCodes = ["not_found", "invalid_request", "server_error"];

/** The error response of REST procedures, as plain JSON Schema (rest.ts). */
export const restFailure = {
  description: shapes.problem,
  content: {
    "application/problem+json": {
      schema: z.toJSONSchema(problem(restCodes)),
      example: problemExample({
        status: 404,
        code: "not_found",
        detail: "This path doesn't exist. Check the path and the method.",
      }),
    },
  },
  "x-error-codes": restCodes,
};
