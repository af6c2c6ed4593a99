import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { eventTypes } from "#server/data/webhooks/events.ts";
import { discoverRoutes, matchRoute, type Route } from "#server/http/gateway/routes.ts";
import { simulations } from "#server/processors/simulator/server/behaviour.ts";
import { currentInstance } from "../support/instance.ts";

type Content = Record<string, { schema?: object; example?: unknown }>;
type Operation = {
  operationId?: string;
  summary?: string;
  security?: unknown[];
  parameters?: { name: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content; "x-error-codes"?: string[] }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, { example?: unknown }>; securitySchemes?: object };
};

const methods = ["get", "post", "put", "patch", "delete"];
/** Only the pages use tRPC's transport; everything else that a route file serves is public. */
const isPublic = (route: Route) => !route.pattern.startsWith("/api/trpc/");
const sample = (template: string) => template.replaceAll(/\{[^}]+\}/g, "x");

describe.each(["productionUrl", "sandboxUrl"] as const)("at %s", (environment) => {
  const baseUrl = currentInstance()[environment];
  let routes: Route[];
  let document: Document;

  beforeAll(async () => {
    routes = await discoverRoutes(path.resolve("app"));
    document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  });

  describe("/openapi.json lists every route of the running server and nothing else (docs/spec/oauth.md, OpenAPI document)", () => {
    test("a route file serves every listed path", () => {
      expect(Object.keys(document.paths).filter((template) => !matchRoute(routes, sample(template)))).toEqual([]);
    });

    test("every served route is listed", async () => {
      const named = new Set(
        Object.keys(document.paths).map((template) => matchRoute(routes, sample(template))?.route.pattern),
      );
      const unnamed = routes.filter((route) => isPublic(route) && !named.has(route.pattern));
      for (const { pattern } of unnamed) {
        expect([pattern, (await fetch(`${baseUrl}${pattern}`, { method: "POST" })).status]).toEqual([pattern, 404]);
      }
      const ofSandbox =
        environment === "sandboxUrl" ? [] : ["/demo/callback", "/docs/button/callback", "/sandbox/clock"];
      expect(unnamed.map(({ pattern }) => pattern).sort()).toEqual([...ofSandbox, "/processors/stripe/webhook"].sort());
    });

    test("a path serves exactly the methods that are listed", async () => {
      for (const [template, operations] of Object.entries(document.paths)) {
        if (template.startsWith("/status/")) continue;
        const response = await fetch(`${baseUrl}${sample(template)}`, { method: "OPTIONS" });
        const allowed = (response.headers.get("allow") ?? "").toLowerCase().split(", ");
        const named = methods.filter((method) => operations[method]);
        expect({ template, methods: methods.filter((method) => allowed.includes(method)) }).toEqual({
          template,
          methods: named,
        });
      }
    });

    test("operation ids are unique", () => {
      const ids = Object.values(document.paths).flatMap((item) =>
        methods.flatMap((method) => item[method]?.operationId ?? []),
      );
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  test("lists every event in `webhooks` with its body, headers and an example (OpenAPI 3.1 §4.8.1)", () => {
    const webhooks = document.webhooks ?? {};
    expect(Object.keys(webhooks)).toEqual([...eventTypes]);
    for (const [type, item] of Object.entries(webhooks)) {
      const body = item["post"]?.requestBody?.content["application/json"];
      expect(body?.schema).toMatchObject({ properties: { type: { const: type }, data: { type: "object" } } });
      expect(body?.example).toMatchObject({ type, sequence: 1, data: {} });
      expect(item["post"]?.parameters?.map(({ name }) => name)).toEqual([
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
      ]);
    }
  });

  test("lists the values of metadata.simulate at the charge operation", () => {
    const body = document.paths["/merchant_test/charge"]?.["post"]?.requestBody?.content["application/json"];
    const schema = body?.schema as { properties: Record<string, { description?: string }> } | undefined;
    for (const value of simulations) expect(schema?.properties["metadata"]?.description).toContain(`\`${value}\``);
  });

  test("is prepared once in a compressed and a plain form, and answers 304 to a current entity tag", async () => {
    const url = `${baseUrl}/openapi.json`;
    const tags = new Set<string | null>();
    for (const encoding of ["gzip", "identity"]) {
      const headers = { "accept-encoding": encoding };
      const whole = await fetch(url, { headers });
      const etag = whole.headers.get("etag");
      tags.add(etag);
      expect(whole.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      expect(whole.headers.get("vary")).toBe("accept-encoding");
      expect(await whole.json()).toEqual(document);
      const again = await fetch(url, { headers: { ...headers, "if-none-match": etag ?? "" } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    expect(tags.size).toBe(2);
  });

  test("describes registration with its token, and each resource with every accepted way to authenticate", () => {
    const { securitySchemes } = document.components ?? {};
    expect(document.paths["/oauth/register"]?.["post"]?.security).toEqual([{ initialAccessToken: [] }, {}]);
    expect(securitySchemes).toMatchObject({
      accessToken: { flows: { clientCredentials: {}, authorizationCode: { refreshUrl: "/oauth/token" } } },
    });
  });

  test("each operation lists the errors of every rule that applies to it", () => {
    const errorCodesOf = (path: string, method: string) =>
      document.paths[path]?.[method]?.responses["default"]?.["x-error-codes"];
    expect(errorCodesOf("/oauth/register", "post")).toEqual(
      expect.arrayContaining(["invalid_client_metadata", "invalid_redirect_uri", "temporarily_unavailable"]),
    );
    expect(errorCodesOf("/merchant_test/charges", "get")).toEqual(
      expect.arrayContaining(["invalid_request", "invalid_token", "insufficient_scope", "use_dpop_nonce"]),
    );
  });

  describe("each operation is described in full (docs/spec/oauth.md, OpenAPI document)", () => {
    const operations = (): [string, Operation][] =>
      Object.entries(document.paths).flatMap(([template, item]) =>
        methods.flatMap((method) =>
          item[method] ? [[`${method} ${template}`, item[method]] as [string, Operation]] : [],
        ),
      );
    const missing = (what: (operation: Operation) => boolean): string[] =>
      operations()
        .filter(([, operation]) => !what(operation))
        .map(([title]) => title);
    const answers = ({ responses }: Operation) => Object.entries(responses);
    const hasExample = ({ schema, example }: Content[string]): boolean =>
      example !== undefined || (schema !== undefined && "example" in schema);
    /** Every media type except pages needs an example. Form fields have a JSON schema too. */
    const examples = (content: Content | undefined): boolean =>
      Object.entries(content ?? {}).every(([type, media]) => type === "text/html" || hasExample(media));

    test("with a summary and its security requirements, or an explicit empty list", () => {
      expect(missing(({ summary, security }) => summary !== undefined && security !== undefined)).toEqual([]);
    });

    test("with a success response and its errors", () => {
      const has = (pattern: RegExp) => (operation: Operation) =>
        answers(operation).some(([code]) => pattern.test(code));
      expect(missing(has(/^[23]\d\d$/))).toEqual([]);
      expect(missing(has(/^(4\d\d|default)$/))).toEqual([]);
      expect(missing((operation) => answers(operation).every(([, { description }]) => description))).toEqual([]);
    });

    test("with an example of the request and of each response", () => {
      expect(missing(({ requestBody }) => examples(requestBody?.content))).toEqual([]);
      expect(missing((operation) => answers(operation).every(([, { content }]) => examples(content)))).toEqual([]);
    });
  });
});
