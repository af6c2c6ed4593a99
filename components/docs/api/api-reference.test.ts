import { describe, expect, it } from "vitest";
import { type ApiDocument, toGroups } from "./api-reference.ts";
import { fieldsOf, type Schema } from "./api-schema.ts";

const document: ApiDocument = {
  paths: {
    "/healthz": { get: { operationId: "health", tags: ["Health"], responses: { 200: { description: "alive" } } } },
    "/things/{id}": {
      put: {
        operationId: "putThing",
        summary: "Put a thing",
        description: "Implements RFC 9110.",
        tags: ["Merchant"],
        security: [{ accessToken: ["things.write"] }],
        "x-rate-limit": "resource",
        parameters: [
          { in: "path", name: "id", required: true, schema: { type: "string" } },
          { in: "header", name: "Idempotency-Key", required: true, description: "unique", schema: { type: "string" } },
        ],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/thing" }, example: { name: "a" } } },
        },
        responses: {
          200: { description: "put", headers: { ETag: { description: "its version" } } },
          default: {
            description: "wrong",
            content: { "application/problem+json": {} },
            "x-error-codes": ["not_found"],
          },
        },
      },
    },
    "/oauth/introspect": {
      post: {
        operationId: "introspect",
        tags: ["Authorization server"],
        security: [{ privateKeyJwt: [] }],
        requestBody: {
          content: { "application/x-www-form-urlencoded": { example: { client_assertion: "eyJ…", token: "a b" } } },
        },
        responses: { default: { description: "wrong", content: { "application/json": {} } } },
      },
    },
  },
  components: {
    schemas: { thing: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    securitySchemes: {
      accessToken: { description: "an access token" },
      privateKeyJwt: { description: "an assertion" },
    },
  },
};

const groups = toGroups(document);
const operation = (id: string) =>
  groups.flatMap((group) => group.operations).find((known) => known.id === id) ?? expect.fail(id);

describe("the readable page of /openapi.json (docs/spec/oauth.md, OpenAPI document)", () => {
  it("has each operation of the document once, below its tag", () => {
    expect(groups.map(({ title, operations }) => [title, ...operations.map(({ id }) => id)])).toEqual([
      ["Authorization server", "introspect"],
      ["Merchant", "putThing"],
      ["Health", "health"],
    ]);
  });

  it("shows how the caller authenticates, the required scope and the rate limit of each operation", () => {
    expect(operation("putThing")).toMatchObject({
      caller: "an access token",
      scopes: ["things.write"],
      limit: "resource",
      description: "RFC 9110",
    });
    expect(operation("introspect")).toMatchObject({ caller: "an assertion", scopes: [], limit: null });
    expect(operation("health")).toMatchObject({ caller: null, scopes: [], summary: "health" });
  });

  it("names every parameter, body member and response", () => {
    const { parameters, bodies, answers } = operation("putThing");
    expect(parameters).toMatchObject([
      { name: "id", place: "path", isRequired: true },
      { name: "Idempotency-Key", place: "header", description: "unique" },
    ]);
    expect(bodies).toMatchObject([{ mediaType: "application/json", fields: [{ name: "name", isRequired: true }] }]);
    expect(answers).toMatchObject([
      { status: "200", headers: [{ name: "ETag", description: "its version" }], codes: [] },
      { status: null, codes: ["not_found"] },
    ]);
  });

  it("shows a request as it is sent, with one form parameter per line", () => {
    expect(operation("introspect").example.split("\n")).toEqual([
      "POST /oauth/introspect",
      "Content-Type: application/x-www-form-urlencoded",
      "",
      "client_assertion=eyJ…",
      "&token=a+b",
    ]);
    expect(operation("putThing").example.split("\n").slice(0, 5)).toEqual([
      "PUT /things/{id}",
      "Authorization: Bearer …",
      "Idempotency-Key: …",
      "Content-Type: application/json",
      "",
    ]);
  });

  it("recognizes problems, whose codes have anchors on the errors page", () => {
    expect([operation("introspect").isProblem, operation("putThing").isProblem]).toEqual([false, true]);
  });
});

describe("a schema in words", () => {
  const only = (schema: Schema) =>
    fieldsOf({ properties: { it: schema } }, () => ({ type: "string", maxLength: 5 }))[0];

  it.each([
    [{ type: "string" }, "string"],
    [{ const: "code" }, "code"],
    [{ enum: ["ES256", "PS256"] }, "ES256 or PS256"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ type: "array", items: { type: "integer" } }, "list of integer"],
    [{ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "string or list of string"],
    [{ type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] }, "object"],
    [{}, "anything"],
    [{ $ref: "#/components/schemas/named" }, "string"],
  ] as [Schema, string][])("%j is %s", (schema, type) => {
    expect(only(schema)?.type).toBe(type);
  });

  it.each([
    [{ minimum: 1, maximum: 99_999 }, "1 to 99,999"],
    [{ maxLength: 200 }, "at most 200 characters"],
    [{ minItems: 1 }, "at least 1 item"],
    [{ format: "uri", default: "x" }, "URI, default x"],
    [{ type: "string" }, null],
    [{ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, null],
    [{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "at least 1"],
  ] as [Schema, string | null][])("%j has the limits %s", (schema, limits) => {
    expect(only(schema)?.limits).toBe(limits);
  });

  it("shows a pattern, unless it only repeats the format", () => {
    expect(only({ type: "string", pattern: "^[A-Z]{3}$" })?.pattern).toBe("^[A-Z]{3}$");
    expect(only({ type: "string", format: "date", pattern: "^[0-9-]+$" })?.pattern).toBeNull();
    expect(only({ type: "string" })?.pattern).toBeNull();
  });

  it("shows the members of objects, of lists and of alternatives", () => {
    const item: Schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    for (const schema of [
      item,
      { type: "array", items: item },
      { anyOf: [item, { type: "string" }] },
      { type: "array", items: { anyOf: [item, item] } },
    ] as Schema[]) {
      expect(only(schema)?.fields).toMatchObject([{ name: "id", type: "string", isRequired: true }]);
    }
  });
});
