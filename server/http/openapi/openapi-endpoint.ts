import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { z } from "zod";
import { acceptsGzip } from "../../contract/accept.ts";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint, type Endpoint, type Offering } from "../../contract/endpoint.ts";
import type { Config } from "../../deps/config.ts";
import { endpoints } from "../../endpoints/index.ts";
import { rememberBy } from "../../kernel/remember-by.ts";
import { statusRouter } from "../../trpc/status/status.ts";
import { isOffered } from "../serve.ts";
import { securitySchemes, toPaths } from "./openapi.ts";
import { restFailure } from "./openapi-responses.ts";
import { webhookOperations } from "./openapi-webhooks.ts";

export const openApiEndpoint: Endpoint = defineEndpoint({
  method: "GET",
  path: "/openapi.json",
  operationId: "openApiDocument",
  summary: "OpenAPI document of this API",
  tag: "Discovery",
  standards: ["OpenAPI 3.1"],
  auth: { kind: "none" },
  errors: "problem",
  errorCodes: [],
  isPublic: true,
  request: {},
  responses: {
    200: { description: "OpenAPI 3.1", schema: z.looseObject({ openapi: z.string() }), example: { openapi: "3.1.0" } },
  },
  async handle({ deps, request }) {
    const { bytes, compressed, etag } = storedDocument(deps.config);
    const isCompressed = acceptsGzip(request.headers.get("accept-encoding"));
    const reply = cacheable(request, {
      body: isCompressed ? compressed : bytes,
      contentType: "application/json",
      // Each encoding needs its own entity tag (RFC 9110 §8.8.3.3).
      etag: isCompressed ? `"${etag}-gzip"` : `"${etag}"`,
      cacheControl: "public, max-age=300",
      vary: "accept-encoding",
    });
    const isWhole = reply.status === 200 && isCompressed;
    return isWhole ? { ...reply, headers: { ...reply.headers, "content-encoding": "gzip" } } : reply;
  },
});

type Documented = Offering & Pick<Config, "baseUrl">;

/** The document that is sent and that /docs reads: made once, because the configuration never changes. */
export const openApiText = rememberBy((config: Documented): string =>
  JSON.stringify(buildDocument(config), withoutSafeIntegerBounds),
);

/** Encoded once, so that a request only has to send it. */
const storedDocument = rememberBy((config: Documented) => {
  const document = openApiText(config);
  return {
    bytes: new TextEncoder().encode(document),
    compressed: new Uint8Array(gzipSync(document)),
    etag: createHash("sha256").update(document).digest("base64url").slice(0, 22),
  };
});

/** Removes the bounds ±2^53 that zod prints for integers: they aren't limits of the value. */
const withoutSafeIntegerBounds = (name: string, value: unknown): unknown =>
  (name === "minimum" && value === Number.MIN_SAFE_INTEGER) || (name === "maximum" && value === Number.MAX_SAFE_INTEGER)
    ? undefined
    : value;

/** Rules for every endpoint, in Markdown (OpenAPI 3.1, Info Object). */
const description = [
  "An OAuth 2.0 authorization server for payments.",
  "**Unknown input.** REST endpoints refuse unknown query parameters, unknown body members and repeated parameters with 400; `errors` names them. OAuth endpoints ignore unknown parameters (RFC 6749 §3.1). Health checks, feeds, the maintenance calendar, unsubscribe links, the endpoints in the format of Statuspage and the files of the asset bundle ignore them too, because their callers add parameters of their own.",
  "**Numbers.** Write amounts and other integers without a fraction or an exponent: `5000`, not `5000.0` or `5e3`.",
  "**Bodies.** At most 64 KiB unless an operation states another limit. UTF-8, without Content-Encoding.",
  "**Lists.** `limit` is 1 to 100; the default is 20. `starting_after` returns the page after an id, and `ending_before` returns the page before an id. Both pages are in the order of the list. `has_more` says whether the list has more items in that direction.",
].join("\n\n");

/** Endpoints and REST procedures in one document (trpc-to-openapi merges `paths` and doesn't support `webhooks`). */
const buildDocument = (config: Documented): object => {
  const contracts = toPaths([...endpoints, openApiEndpoint].filter((endpoint) => isOffered(endpoint, config)));
  const document = generateOpenApiDocument(statusRouter, {
    title: "Paygrant",
    version: "1",
    description,
    baseUrl: config.baseUrl,
    openApiVersion: "3.1.0",
    securitySchemes,
    paths: contracts,
  });
  const rest = Object.entries(document.paths ?? {}).filter(([path]) => !contracts[path]);
  for (const operation of rest.flatMap(([, item]) => Object.values(item))) completeRest(operation);
  return { ...document, webhooks: webhookOperations() };
};

/**
 * Corrects what the library omits or describes in its own shape: REST procedures need no authentication and return
 * problems.
 */
const completeRest = (operation: { security?: unknown[]; responses: Record<string, unknown> }): void => {
  operation.security ??= [];
  operation.responses["default"] = restFailure;
};
