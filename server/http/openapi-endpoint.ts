import { generateOpenApiDocument } from "trpc-to-openapi";
import { z } from "zod";
import type { Config } from "../config.ts";
import { rememberBy } from "../kernel/remember-by.ts";
import { statusRouter } from "../trpc/routers/status.ts";
import { defineEndpoint, type Endpoint, type Offering } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { securitySchemes, toPaths } from "./openapi.ts";
import { restFailure } from "./openapi-responses.ts";
import { isOffered } from "./serve.ts";

export const openApiEndpoint: Endpoint = defineEndpoint({
  method: "GET",
  path: "/openapi.json",
  operationId: "openApiDocument",
  summary: "This document",
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
  async handle({ deps }) {
    return {
      status: 200,
      headers: { "cache-control": "public, max-age=300" },
      contentType: "application/json",
      body: openApiText(deps.config),
    };
  },
});

type Documented = Offering & Pick<Config, "baseUrl">;

/** The document as it is sent, and as /docs reads it: made once for a configuration, which never changes. */
export const openApiText = rememberBy((config: Documented): string =>
  JSON.stringify(buildDocument(config), withoutSafeIntegerBounds, 2),
);

/** zod's integers print the bounds of a double's exact integers, which say nothing of the value. */
const withoutSafeIntegerBounds = (name: string, value: unknown): unknown =>
  (name === "minimum" && value === Number.MIN_SAFE_INTEGER) || (name === "maximum" && value === Number.MAX_SAFE_INTEGER)
    ? undefined
    : value;

/** Contracts and REST procedures in one document (trpc-to-openapi merges `paths`). */
const buildDocument = (config: Documented): object => {
  const contracts = toPaths([...endpoints, openApiEndpoint].filter((endpoint) => isOffered(endpoint, config)));
  const document = generateOpenApiDocument(statusRouter, {
    title: "Paygrant",
    version: "1",
    description: "An OAuth 2.0 authorization server for payments.",
    baseUrl: config.baseUrl,
    openApiVersion: "3.1.0",
    securitySchemes,
    paths: contracts,
  });
  const rest = Object.entries(document.paths ?? {}).filter(([path]) => !contracts[path]);
  for (const operation of rest.flatMap(([, item]) => Object.values(item))) completeRest(operation);
  return document;
};

/** What the library leaves out or tells in its own shape: REST procedures are open, and fail like everything else. */
const completeRest = (operation: { security?: unknown[]; responses: Record<string, unknown> }): void => {
  operation.security ??= [];
  operation.responses["default"] = restFailure;
};
