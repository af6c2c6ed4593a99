import { afterAll, beforeAll, expect, it } from "vitest";
import { makeAgentClient, makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../audit/search-audit.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { verifyMandateEndpoint } from "../endpoints/charges/verify-mandate.ts";
import { authorizeEndpoint } from "../endpoints/oauth/authorize.ts";
import { consentDecisionEndpoint } from "../endpoints/oauth/consent-decision.ts";
import { introspectEndpoint } from "../endpoints/oauth/introspect.ts";
import { parEndpoint } from "../endpoints/oauth/par.ts";
import { registerEndpoint } from "../endpoints/oauth/register.ts";
import { revokeEndpoint } from "../endpoints/oauth/revoke.ts";
import { tokenEndpoint } from "../endpoints/oauth/token.ts";
import { provideDeps } from "./runtime.ts";
import { serve } from "./serve.ts";

let deps: TestDeps;
let agent: TestClient;
let merchantClient: TestClient;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  agent = await makeAgentClient(deps);
  merchantClient = await makeMerchantClient(deps, (await makeMerchant(deps)).id);
});
afterAll(() => deps.close());

const secret = "s3cret".repeat(10);

/** The response's status, and every audit entry with its request id. */
const send = async (endpoint: Endpoint, request: RequestInit & { path?: string }) => {
  const response = await serve(endpoint)(new Request(deps.config.baseUrl + (request.path ?? endpoint.path), request));
  const { entries } = await searchAudit(deps, { requestId: response.headers.get("x-request-id") ?? "" });
  return { status: response.status, entries };
};

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: formBody(fields),
});

const authenticated = async (client: TestClient, fields: Record<string, string>) =>
  form({
    client_assertion_type: assertionType,
    client_assertion: await signAssertion(client, deps.config.baseUrl, { now: deps.clock.now() }),
    ...fields,
  });

const bad = { client_assertion_type: assertionType, client_assertion: `${secret}.${secret}.${secret}` };

const rows: [
  string,
  Endpoint,
  () => RequestInit | Promise<RequestInit>,
  string,
  string,
  "agent" | "merchant" | "anonymous",
][] = [
  [
    "an unknown code",
    tokenEndpoint,
    () =>
      authenticated(agent, {
        grant_type: "authorization_code",
        code: secret,
        redirect_uri: "x",
        code_verifier: secret,
      }),
    ...(["token.refused", "invalid_grant", "agent"] as const),
  ],
  [
    "a scope for another kind of client",
    tokenEndpoint,
    () => authenticated(merchantClient, { grant_type: "client_credentials", scope: "grant_management_query" }),
    ...(["token.refused", "invalid_scope", "merchant"] as const),
  ],
  [
    "a pushed request by a merchant client",
    parEndpoint,
    () => authenticated(merchantClient, { response_type: "code" }),
    ...(["authorization_request.refused", "unauthorized_client", "merchant"] as const),
  ],
  [
    "an invalid assertion, at the token endpoint",
    tokenEndpoint,
    () => form(bad),
    "client.authentication_refused",
    "invalid_client",
    "anonymous",
  ],
  [
    "an invalid assertion, at PAR",
    parEndpoint,
    () => form(bad),
    "client.authentication_refused",
    "invalid_client",
    "anonymous",
  ],
  [
    "an invalid assertion, at introspection",
    introspectEndpoint,
    () => form({ ...bad, token: secret }),
    "client.authentication_refused",
    "invalid_client",
    "anonymous",
  ],
  [
    "an introspection without a token",
    introspectEndpoint,
    () => authenticated(agent, {}),
    "introspection.refused",
    "invalid_request",
    "agent",
  ],
  [
    "a revocation without a token",
    revokeEndpoint,
    () => authenticated(agent, {}),
    "revocation.refused",
    "invalid_request",
    "agent",
  ],
  [
    "a registration with a secret",
    registerEndpoint,
    () => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_secret: secret }),
    }),
    ...(["registration.refused", "invalid_client_metadata", "anonymous"] as const),
  ],
  [
    "a registration with an unknown token",
    registerEndpoint,
    () => ({
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: "{}",
    }),
    ...(["registration.refused", "invalid_token", "anonymous"] as const),
  ],
  [
    "an invalid access token",
    verifyMandateEndpoint,
    () => ({
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: "{}",
    }),
    ...(["access.refused", "invalid_token", "anonymous"] as const),
  ],
];

it.each(rows)(
  "records one refusal, without the request's contents: %s",
  async (_what, endpoint, request, action, code, who) => {
    const { status, entries } = await send(endpoint, await request());
    expect(status).toBeGreaterThanOrEqual(400);
    const id = who === "anonymous" ? null : who === "agent" ? agent.id : merchantClient.id;
    expect(entries).toMatchObject([
      {
        action,
        actorKind: id ? "client" : "anonymous",
        actorId: id ?? "-",
        subjectId: id ?? "-",
        data: { operation: endpoint.operationId, code, reason: expect.any(String) },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain("s3cret");
  },
);

it("records the refusal of an assertion that was used before, with the assertion's client as the subject", async () => {
  const request = await authenticated(merchantClient, { grant_type: "client_credentials" });
  expect((await send(tokenEndpoint, request)).entries).toMatchObject([{ action: "token.issued" }]);
  expect((await send(tokenEndpoint, request)).entries).toMatchObject([
    { action: "client.authentication_refused", actorKind: "anonymous", subjectId: merchantClient.id },
  ]);
});

it("records the refusal of an unknown authorization request, and of a decision from another site", async () => {
  const query = new URLSearchParams({
    client_id: agent.id,
    request_uri: `urn:ietf:params:oauth:request_uri:${secret}`,
  });
  const opened = await send(authorizeEndpoint, { path: `/oauth/authorize?${query}` });
  expect(opened.entries).toMatchObject([
    { action: "authorization_request.refused", data: { code: "request_unknown" } },
  ]);
  const path = `/consent/${secret}/decision`;
  const decided = await send(consentDecisionEndpoint, { ...form({ decision: "approve" }), path });
  expect(decided.entries).toMatchObject([{ action: "consent.refused" }]);
  expect(JSON.stringify([opened.entries, decided.entries])).not.toContain("s3cret");
});

it("doesn't record a wrong content type; concurrent refusals share statements", async () => {
  const request = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
  expect((await send(tokenEndpoint, request)).entries).toEqual([]);
  let statements = 0;
  const { query } = deps.db.sql;
  deps.db.sql.query = (statement, values) => {
    if (statement.name === "insert_audit_entries") statements += 1;
    return query(statement, values);
  };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      serve(tokenEndpoint)(new Request(`${deps.config.baseUrl}/oauth/token`, form(bad))),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 401));
  expect(statements).toBeLessThan(20);
});
