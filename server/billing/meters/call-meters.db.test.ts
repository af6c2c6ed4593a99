import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeAgentClient, makeMerchant, makeMerchantClient, type TestClient } from "#e2e/support/factories.ts";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { readBillableUsage } from "../../data/billing/meters/billable-usage.ts";
import { listLineEvents } from "../../data/billing/meters/line-events.ts";
import { usageInvariants } from "../../data/invariants/usage-invariants.ts";
import { introspectEndpoint } from "../../endpoints/oauth/introspect.ts";
import { revokeEndpoint } from "../../endpoints/oauth/revoke.ts";
import { tokenEndpoint } from "../../endpoints/oauth/token.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

let deps: TestDeps;
let merchantId: string;
let client: TestClient;
const routes = { token: mount(tokenEndpoint), introspect: mount(introspectEndpoint), revoke: mount(revokeEndpoint) };

beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  provideDeps(deps);
});
afterAll(async () => {
  for (const { find } of usageInvariants) expect(await find(deps.db.sql)).toEqual([]);
  await deps.close();
});
beforeEach(async () => {
  merchantId = (await makeMerchant(deps)).id;
  client = await makeMerchantClient(deps, merchantId);
});

const makeAssertion = (of: TestClient, jti: string = randomUUID()) =>
  signAssertion(of, deps.config.baseUrl, { now: deps.clock.now(), header: { kid: "test" }, claims: { jti } });

type Sent = { assertion?: string; fields?: Record<string, string>; headers?: Record<string, string> };

const post = async (path: keyof typeof routes, of: TestClient, { assertion, fields = {}, headers = {} }: Sent = {}) => {
  const body = {
    client_assertion_type: assertionType,
    client_assertion: assertion ?? (await makeAssertion(of)),
    ...(path === "token" ? { grant_type: "client_credentials" } : {}),
    ...fields,
  };
  const response = await routes[path].POST(
    new Request(`${deps.config.baseUrl}/oauth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: formBody(body),
    }),
  );
  const text = await response.text();
  return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : {} };
};

const period = () => ({ from: addSeconds(deps.clock.now(), -3600), to: addSeconds(deps.clock.now(), 3600) });
const usageOf = async (of = merchantId) => {
  const usage = await readBillableUsage(deps.db.sql, {
    merchantId: of,
    period: period(),
    currency: "EUR",
    includeUncurrencied: true,
    receivedBefore: null,
  });
  return Object.fromEntries([...usage].map(([meter, { quantity }]) => [meter, Number(quantity)]));
};
const eventsOf = (of: string, meter: string) =>
  listLineEvents(
    deps.db.sql,
    { merchantId: of, meter, period: period(), receivedBefore: null },
    { after: null, limit: 10 },
  );

describe("tokens_issued (docs/spec/billing.md, Meters)", () => {
  test("counts the tokens of the merchant's own clients, in the statement that records the issued token", async () => {
    await post("token", client);
    const names = await statementsOf(deps.db, () => post("token", client));
    expect(names).toEqual(["insert_assertion_jtis_and_audit_entries"]);
    await post("token", await makeMerchantClient(deps, merchantId));
    expect(await usageOf()).toEqual({ tokens_issued: 3 });
    expect(await usageOf((await makeMerchant(deps)).id)).toEqual({});
  });

  test("50 requests with one assertion count once, and refused requests don't count", async () => {
    const assertion = await makeAssertion(client);
    await Promise.all(Array.from({ length: 50 }, () => post("token", client, { assertion })));
    expect((await post("token", client, { fields: { scope: "unheard.of" } })).status).toBe(400);
    expect((await post("token", client, { assertion: "x" })).status).toBe(401);
    expect(await usageOf()).toEqual({ tokens_issued: 1 });
  });

  test("concurrent requests of several merchants each count for their own merchant", async () => {
    const others = await Promise.all([1, 2, 3].map(async () => (await makeMerchant(deps)).id));
    const clients = await Promise.all(others.map((id) => makeMerchantClient(deps, id)));
    await Promise.all(
      clients.flatMap((one, index) => Array.from({ length: 10 * (index + 1) }, () => post("token", one))),
    );
    expect(await Promise.all(others.map(usageOf))).toEqual([
      { tokens_issued: 10 },
      { tokens_issued: 20 },
      { tokens_issued: 30 },
    ]);
  });

  test("if a client changed after it was cached, its request counts once", async () => {
    await post("token", client);
    await deps.db.prisma.client.update({
      where: { id: client.id },
      data: { scopes: ["mandates.verify"], version: { increment: 1 } },
    });
    expect((await post("token", client)).status).toBe(200);
    expect(await usageOf()).toEqual({ tokens_issued: 2 });
  });

  test("requests by probes and agents don't count for any merchant", async () => {
    await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { isProbe: true } });
    expect((await post("token", client)).status).toBe(200);
    const agent = await makeAgentClient(deps);
    await deps.db.prisma.client.update({
      where: { id: agent.id },
      data: { grantTypes: ["client_credentials"], scopes: ["grant_management_query"], dpopBound: false },
    });
    expect((await post("token", agent)).status).toBe(200);
    await post("introspect", agent, { fields: { token: "unknown" } });
    expect(await usageOf()).toEqual({});
    expect(
      await deps.db.prisma.$queryRaw`SELECT 1 FROM meter_event WHERE client_id IN (${agent.id}, ${client.id})`,
    ).toEqual([]);
  });
});

describe("introspections (docs/spec/billing.md, Meters)", () => {
  test("counts responses for active and unknown tokens, in the statement that reads the token", async () => {
    const token = (await post("token", client)).json.access_token;
    const names = await statementsOf(deps.db, async () => {
      expect((await post("introspect", client, { fields: { token } })).json.active).toBe(true);
      expect((await post("introspect", client, { fields: { token: "unknown" } })).json.active).toBe(false);
    });
    expect(names).toEqual(["insert_assertion_jtis_and_token_liveness", "insert_assertion_jtis_and_introspections"]);
    expect(await usageOf()).toEqual({ tokens_issued: 1, introspections: 2 });
    expect((await eventsOf(merchantId, "introspections")).map(({ id }) => id)).toEqual([
      expect.stringMatching(/^mev_\w{33}$/),
      expect.stringMatching(/^mev_\w{33}$/),
    ]);
  });

  test("requests with a repeated assertion, requests refused with 406, and revocations don't count", async () => {
    const token = (await post("token", client)).json.access_token;
    const assertion = await makeAssertion(client);
    for (const answer of [200, 401]) {
      expect((await post("introspect", client, { assertion, fields: { token } })).status).toBe(answer);
    }
    const headers = { accept: "image/png" };
    for (const each of [token, "unknown"]) {
      expect((await post("introspect", client, { headers, fields: { token: each } })).status).toBe(406);
    }
    expect((await post("revoke", client, { fields: { token } })).status).toBe(200);
    expect(await usageOf()).toEqual({ tokens_issued: 1, introspections: 1 });
  });

  test("if a client changed after it was cached, its request counts once", async () => {
    const token = (await post("token", client)).json.access_token;
    for (const each of [token, "unknown"]) {
      await deps.db.prisma.client.update({ where: { id: client.id }, data: { version: { increment: 1 } } });
      await post("introspect", client, { fields: { token: each } });
    }
    expect(await usageOf()).toEqual({ tokens_issued: 1, introspections: 2 });
  });
});

describe("step_ups (docs/spec/billing.md, Meters)", () => {
  test("counts charges that need the payer's approval, each once per idempotency key, and no other charges", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 500 });
    const { chargeId, status } = await setup.charge({ amount: 600 }, "k");
    expect(status).toBe(202);
    await Promise.all([1, 2, 3].map(() => setup.charge({ amount: 600 }, "k")));
    await setup.charge({ amount: 400 });
    expect(await usageOf(setup.merchant.id)).toMatchObject({ step_ups: 1, successful_charges: 1 });
    expect(await eventsOf(setup.merchant.id, "step_ups")).toMatchObject([{ subject: chargeId }]);
  });
});
