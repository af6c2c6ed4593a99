import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, signAssertion } from "#e2e/support/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql, Statement } from "../data/client.ts";
import { provideDeps } from "../http/runtime.ts";
import { mount } from "../http/serve.ts";
import { tokenEndpoint } from "./endpoints/token.ts";
import { verifyAccessTokenJwt } from "./verify-access-token-jwt.ts";

let deps: TestDeps;
let client: TestClient;
const { POST } = mount(tokenEndpoint);

beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());
beforeEach(async () => {
  client = await makeMerchantClient(deps, (await makeMerchant(deps)).id);
});

const makeAssertion = (jti: string = randomUUID()) =>
  signAssertion(client, deps.config.baseUrl, { header: { kid: "test" }, claims: { jti } });

const ask = async (assertion: string, fields: Record<string, string> = {}) => {
  const response = await POST(
    new Request(`${deps.config.baseUrl}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: assertionType,
        client_assertion: assertion,
        ...fields,
      }).toString(),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

const countIssued = async () => {
  const rows = await deps.db.prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM audit_entry WHERE subject_id = ${client.id} AND action = 'token.issued'`;
  return Number(rows[0]?.count);
};

/** As a registration's change does: every change of the row counts its version up. */
const changeScopes = (scopes: string[]) =>
  deps.db.prisma.client.update({ where: { id: client.id }, data: { scopes, version: { increment: 1 } } });

/** Names of the statements that `work` sends. */
const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const names: string[] = [];
  const sql = deps.db.sql as { query: Sql["query"] };
  const { query } = sql;
  sql.query = (statement: Statement<never>, values) => {
    names.push(statement.name);
    return query.call(sql, statement, values) as Promise<never[]>;
  };
  try {
    await work();
  } finally {
    sql.query = query;
  }
  return names;
};

test("takes one statement once the client is remembered (1-oauth, Performance: at most 2)", async () => {
  await ask(await makeAssertion());
  const assertion = await makeAssertion();
  expect(await statementsOf(() => ask(assertion))).toEqual(["insert_assertion_jtis_and_audit_entries"]);
});

test("of 50 requests with one assertion one gets a token, and one entry tells of it", async () => {
  const assertion = await makeAssertion();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(assertion)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body["error"] === "invalid_client")).toHaveLength(49);
  expect(await countIssued()).toBe(1);
});

test("a scope that the client has gained since it was remembered is granted", async () => {
  await changeScopes(["mandates.verify"]);
  await ask(await makeAssertion());
  await changeScopes(["mandates.verify", "charges.read"]);
  const { status, body } = await ask(await makeAssertion(), { scope: "charges.read" });
  expect([status, body["scope"]]).toEqual([200, "charges.read"]);
  expect(await countIssued()).toBe(2);
});

test("a scope that the client has lost since it was remembered is refused, and nothing is recorded", async () => {
  await ask(await makeAssertion());
  await changeScopes(["mandates.verify"]);
  const { status, body } = await ask(await makeAssertion(), { scope: "charges.write" });
  expect([status, body["error"]]).toEqual([400, "invalid_scope"]);
  expect(await countIssued()).toBe(1);
});

test("a changed client's token carries its present epoch, and one entry tells of it", async () => {
  await ask(await makeAssertion());
  await deps.db.prisma.client.update({
    where: { id: client.id },
    data: { epoch: { increment: 1 }, version: { increment: 1 } },
  });
  const { body } = await ask(await makeAssertion());
  expect(await verifyAccessTokenJwt(deps, body["access_token"] ?? "")).toMatchObject({ client_epoch: 2 });
  expect(await countIssued()).toBe(2);
});

test("the assertion of a refused request is used up all the same (RFC 7523 §3, FAPI 2.0 §5.3.2.1)", async () => {
  const assertion = await makeAssertion();
  expect((await ask(assertion, { scope: "unheard.of" })).body["error"]).toBe("invalid_scope");
  expect((await ask(assertion)).body["error"]).toBe("invalid_client");
  expect(await countIssued()).toBe(0);
});

test("a deleted client is refused, remembered or not", async () => {
  await ask(await makeAssertion());
  await deps.db.prisma.client.update({ where: { id: client.id }, data: { deletedAt: deps.clock.now() } });
  expect((await ask(await makeAssertion())).body["error"]).toBe("invalid_client");
  expect(await countIssued()).toBe(1);
});
