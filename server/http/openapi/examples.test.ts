import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { eventContracts } from "../../billing/events/event-contracts.ts";
import { endpoints } from "../../endpoints/index.ts";
import { statusRouter } from "../../trpc/status/status.ts";
import { openApiEndpoint } from "./openapi-endpoint.ts";

// docs/spec/oauth.md, OpenAPI document: each example is valid against the schema next to it.

type Sample = { title: string; schema: z.ZodType; example: unknown };

const withExample = (title: string, part: { schema?: z.ZodType; example?: unknown } | undefined): Sample[] =>
  part?.schema === undefined || part.example === undefined
    ? []
    : [{ title, schema: part.schema, example: part.example }];

const all = [...endpoints, openApiEndpoint];

const requests = all.flatMap(({ method, path, request: { body, example } }) =>
  withExample(`${method} ${path}`, { ...(body && { schema: body }), example }),
);

const responses = all.flatMap((endpoint) =>
  Object.entries(endpoint.responses).flatMap(([status, response]) => {
    const parts = { [response.contentType ?? "application/json"]: response, ...response.alternatives };
    return Object.entries(parts).flatMap(([type, part]) =>
      withExample(`${endpoint.method} ${endpoint.path} ${status} ${type}`, part),
    );
  }),
);

const statusResponses = Object.entries(statusRouter._def.procedures).flatMap(([name, procedure]) => {
  const { output } = procedure._def as unknown as { output: z.ZodType };
  return withExample(name, { schema: output, example: output.meta()?.["example"] });
});

const events = eventContracts.flatMap((contract) => withExample(contract.type, contract));

describe("each example is valid against its schema", () => {
  test.each(requests)("request: $title", ({ schema, example }) => {
    expect(schema.safeParse(example).error?.issues).toBeUndefined();
  });

  // A schema that isn't strict drops members that it doesn't describe.
  test.each([...responses, ...statusResponses, ...events])("response: $title", ({ schema, example }) => {
    expect(schema.parse(example)).toEqual(example);
  });

  test("every kind of contract is included", () => {
    expect([requests, responses, statusResponses, events].map(({ length }) => length > 3)).toEqual(Array(4).fill(true));
  });
});
