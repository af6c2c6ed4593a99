import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { introspectEndpoint } from "../../endpoints/oauth/introspect.ts";
import { tokenEndpoint } from "../../endpoints/oauth/token.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { verifyAccessTokenJwt } from "../tokens/verify-access-token-jwt.ts";

let deps: TestDeps;
let client: TestClient;
const routes = { token: mount(tokenEndpoint), introspect: mount(introspectEndpoint) };

beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());
beforeEach(async () => {
  client = await makeMerchantClient(deps, (await makeMerchant(deps)).id);
});

const makeAssertion = (jti: string = randomUUID()) =>
  signAssertion(client, deps.config.baseUrl, {
    now: deps.clock.now(),
    header: { kid: "test" },
    claims: { jti },
  });

const post = async (path: keyof typeof routes, assertion: string, fields: Record<string, string>) => {
  const response = await routes[path].POST(
    new Request(`${deps.config.baseUrl}/oauth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: formBody({ client_assertion_type: assertionType, client_assertion: assertion, ...fields }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const requestToken = (assertion: string, fields: Record<string, string> = {}) =>
  post("token", assertion, { grant_type: "client_credentials", ...fields });

const countIssued = async () => {
  const rows = await deps.db.prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM audit_entry WHERE subject_id = ${client.id} AND action = 'token.issued'`;
  return Number(rows[0]?.count);
};

/** Changes the row as a change of the registration does: every change increments its version. */
const changeScopes = (scopes: string[]) =>
  deps.db.prisma.client.update({ where: { id: client.id }, data: { scopes, version: { increment: 1 } } });

/** Changes the row as a change of the registration does. */
const changeGrantTypes = (grantTypes: string[]) =>
  deps.db.prisma.client.update({ where: { id: client.id }, data: { grantTypes, version: { increment: 1 } } });

test("a cached client gets no token once the grant type is removed, and gets a token once the grant type is added", async () => {
  expect((await requestToken(await makeAssertion())).status).toBe(200);
  await changeGrantTypes(["authorization_code"]);
  const refused = await requestToken(await makeAssertion());
  expect([refused.status, refused.body["error"]]).toEqual([400, "unauthorized_client"]);
  expect(await countIssued()).toBe(1);
  await changeGrantTypes(["client_credentials"]);
  expect((await requestToken(await makeAssertion())).status).toBe(200);
});

test("a token request takes one statement once the client is cached (docs/spec/oauth.md, Performance targets: at most 2)", async () => {
  await requestToken(await makeAssertion());
  const assertion = await makeAssertion();
  expect(await statementsOf(deps.db, () => requestToken(assertion))).toEqual([
    "insert_assertion_jtis_and_audit_entries",
  ]);
});

test("introspection takes one statement (docs/spec/oauth.md, Performance targets)", async () => {
  const token = String((await requestToken(await makeAssertion())).body["access_token"]);
  const assertion = await makeAssertion();
  const names = await statementsOf(deps.db, async () => {
    expect((await post("introspect", assertion, { token })).body["active"]).toBe(true);
  });
  expect(names).toEqual(["insert_assertion_jtis_and_token_liveness"]);
});

test("only one of 50 requests with the same assertion gets a token, and there is one audit entry", async () => {
  const assertion = await makeAssertion();
  const answers = await Promise.all(Array.from({ length: 50 }, () => requestToken(assertion)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body["error"] === "invalid_client")).toHaveLength(49);
  expect(await countIssued()).toBe(1);
});

test("a scope that was added to a cached client is granted", async () => {
  await changeScopes(["mandates.verify"]);
  await requestToken(await makeAssertion());
  await changeScopes(["mandates.verify", "charges.read"]);
  const { status, body } = await requestToken(await makeAssertion(), { scope: "charges.read" });
  expect([status, body["scope"]]).toEqual([200, "charges.read"]);
  expect(await countIssued()).toBe(2);
});

test("a scope that was removed from a cached client is refused, and nothing is recorded", async () => {
  await requestToken(await makeAssertion());
  await changeScopes(["mandates.verify"]);
  const { status, body } = await requestToken(await makeAssertion(), { scope: "charges.write" });
  expect([status, body["error"]]).toEqual([400, "invalid_scope"]);
  expect(await countIssued()).toBe(1);
});

test("the token of a changed client has the current epoch, and there is one audit entry", async () => {
  await requestToken(await makeAssertion());
  await deps.db.prisma.client.update({
    where: { id: client.id },
    data: { epoch: { increment: 1 }, version: { increment: 1 } },
  });
  const { body } = await requestToken(await makeAssertion());
  expect(await verifyAccessTokenJwt(deps, String(body["access_token"]))).toMatchObject({ client_epoch: 2 });
  expect(await countIssued()).toBe(2);
});

test("a refused request also uses up its assertion (RFC 7523 §3, FAPI 2.0 §5.3.2.1)", async () => {
  const assertion = await makeAssertion();
  expect((await requestToken(assertion, { scope: "unheard.of" })).body["error"]).toBe("invalid_scope");
  expect((await requestToken(assertion)).body["error"]).toBe("invalid_client");
  expect(await countIssued()).toBe(0);
});

test("a deleted client is refused, cached or not", async () => {
  await requestToken(await makeAssertion());
  await deps.db.prisma.client.update({ where: { id: client.id }, data: { deletedAt: deps.clock.now() } });
  expect((await requestToken(await makeAssertion())).body["error"]).toBe("invalid_client");
  expect(await countIssued()).toBe(1);
});

test("a client without registered scopes gets invalid_scope (RFC 6749 §3.3)", async () => {
  await changeScopes([]);
  expect(await requestToken(await makeAssertion())).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
});
