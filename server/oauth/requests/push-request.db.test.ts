import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeAgentClient, makeMerchant, type TestClient } from "#e2e/support/factories.ts";
import { mandateDetails, pushFields } from "#e2e/support/oauth/mandate-flow.ts";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql, Statement } from "../../data/client.ts";
import { parEndpoint } from "../../endpoints/oauth/par.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";

let deps: TestDeps;
let client: TestClient;
let merchantId: string;
const { POST } = mount(parEndpoint);

beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());
beforeEach(async () => {
  client = await makeAgentClient(deps);
  merchantId = (await makeMerchant(deps)).id;
});

const makeAssertion = () =>
  signAssertion(client, deps.config.baseUrl, {
    now: deps.clock.now(),
    header: { kid: "test" },
    claims: { jti: randomUUID() },
  });

const push = async (assertion: string, payeeId: string = merchantId) => {
  const { form } = pushFields([mandateDetails(payeeId)], { redirect_uri: "http://127.0.0.1:9/callback" });
  const response = await POST(
    new Request(`${deps.config.baseUrl}/oauth/par`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: formBody({ client_assertion_type: assertionType, client_assertion: assertion, ...form }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const change = (data: object) =>
  deps.db.prisma.client.update({ where: { id: client.id }, data: { ...data, version: { increment: 1 } } });

/** The numbers of the client's stored requests and of their audit entries. */
const countPushed = async () => {
  const stored = await deps.db.prisma.pushedRequest.count({ where: { clientId: client.id } });
  const [audited] = await deps.db.prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM audit_entry
     WHERE actor_id = ${client.id} AND action = 'authorization_request.pushed'`;
  return [stored, Number(audited?.count)];
};

test("a pushed request takes only one statement once the client is cached", async () => {
  await push(await makeAssertion());
  const assertion = await makeAssertion();
  const names = await statementsOf(deps.db, async () => expect((await push(assertion)).status).toBe(201));
  expect(names).toEqual(["insert_assertion_jtis_and_pushed_requests"]);
});

test("only one of 50 requests with the same assertion is stored, and there is one audit entry", async () => {
  const assertion = await makeAssertion();
  const answers = await Promise.all(Array.from({ length: 50 }, () => push(assertion)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body["error"] === "invalid_client")).toHaveLength(49);
  expect(await countPushed()).toEqual([1, 1]);
});

test.each([
  ["unknown", async () => "mch_unknown"],
  ["malformed", async () => "mch_a mch_b"],
  [
    "suspended",
    async () => {
      await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: deps.clock.now() } });
      return merchantId;
    },
  ],
])(
  "a payee that is %s is refused, the error names the field, and nothing is stored (RFC 9396 §5)",
  async (_, payee) => {
    await push(await makeAssertion());
    const assertion = await makeAssertion();
    const { body } = await push(assertion, await payee());
    expect(body).toEqual({
      error: "invalid_authorization_details",
      error_description: "authorization_details[0].payees[0].id: unknown merchant",
    });
    expect(await countPushed()).toEqual([1, 1]);
    expect((await push(assertion)).body["error"]).toBe("invalid_client");
  },
);

test("accepts a redirect URI that was added after the client was cached, and refuses one that was removed", async () => {
  await change({ redirectUris: ["https://other.example/callback"] });
  expect((await push(await makeAssertion())).status).toBe(400);
  await change({ redirectUris: ["http://127.0.0.1:9/callback"] });
  expect((await push(await makeAssertion())).status).toBe(201);
  await change({ redirectUris: ["https://other.example/callback"] });
  expect((await push(await makeAssertion())).body["error"]).toBe("invalid_request");
  expect(await countPushed()).toEqual([1, 1]);
});

test("looks up the payees again after the client was changed", async () => {
  await push(await makeAssertion());
  await change({ name: "Renamed" });
  expect((await push(await makeAssertion(), "mch_unknown")).body["error"]).toBe("invalid_authorization_details");
  await change({ name: "Renamed again" });
  expect((await push(await makeAssertion())).status).toBe(201);
  expect(await countPushed()).toEqual([2, 2]);
});

test("if the client changed in the meantime, either both the request and the audit entry are stored, or neither is", async () => {
  const { db } = deps;
  let isFull = true;
  const query = async <Row>(sql: Sql, sent: Statement<Row>, values: Parameters<Sql["query"]>[1]): Promise<Row[]> => {
    if (isFull && sent.name === "insert_audit_entries") throw new Error("no room");
    return sql.query(sent, values);
  };
  provideDeps({
    ...deps,
    db: {
      ...db,
      sqlTransaction: (work) => db.sqlTransaction((sql) => work({ query: (sent, values) => query(sql, sent, values) })),
    },
  });
  try {
    await push(await makeAssertion());
    await change({ name: "Renamed" });
    expect((await push(await makeAssertion())).status).toBe(500);
    expect(await countPushed()).toEqual([1, 1]);
    isFull = false;
    await change({ name: "Renamed again" });
    expect((await push(await makeAssertion())).status).toBe(201);
    expect(await countPushed()).toEqual([2, 2]);
  } finally {
    provideDeps(deps);
  }
});
