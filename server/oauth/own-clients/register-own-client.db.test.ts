import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listMerchantClients } from "./list-merchant-clients.ts";
import { registerOwnClient } from "./register-own-client.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ config: { environment: "production" } });
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_member" }, requestId: "req_test" } as const;

const register = async (wish: { name?: string; scopes?: string[]; jwk?: object } = {}) => {
  const merchantId = (await makeMerchant(deps)).id;
  const jwk = (await makeKey()).publicJwk;
  const input = { merchantId, name: "Checkout", scopes: ["charges.read", "billing.read"], jwk, ...wish, ...by };
  return { merchantId, client: await registerOwnClient(deps, input) };
};

describe("a merchant's member registers a client (docs/spec/portal.md, Apps and keys)", () => {
  test("the client belongs to that merchant and has only the chosen scopes, and the audit log names the member", async () => {
    const { merchantId, client } = await register();
    expect(client).toEqual({
      clientId: expect.stringMatching(/^cl_live_/),
      registrationAccessToken: expect.stringMatching(/^[\w-]{43}$/),
      registrationUri: `${deps.config.baseUrl}/oauth/register/${client.clientId}`,
    });
    const { clients } = await listMerchantClients(deps, { merchantId, limit: 10 });
    expect(clients).toMatchObject([
      {
        id: client.clientId,
        name: "Checkout",
        scopes: ["charges.read", "billing.read"],
        thumbprints: [expect.any(String)],
      },
    ]);
    const entries = await deps.db.prisma.$queryRaw`
      SELECT action, actor_kind AS kind, actor_id AS id, data FROM audit_entry WHERE subject_id = ${client.clientId}`;
    expect(entries).toEqual([
      {
        action: "client.registered",
        ...by.actor,
        data: { kind: "merchant", merchant_id: merchantId, participant_id: expect.stringMatching(/^ptc_/) },
      },
    ]);
  });

  test.each([
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: ["grant_management_query"] }],
    ["scopes", { scopes: ["charges.everything"] }],
    ["scopes", { scopes: ['charges"read'] }],
    ["name", { name: "Checkout\u202etuokcehC" }],
    ["jwk", { jwk: {} }],
    ["jwk", { jwk: { kty: "oct", k: "c2VjcmV0" } }],
    ["jwk", { jwk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } }],
  ])("refuses an invalid value and names the field %s: %j", async (field, wish) => {
    await expect(register(wish)).rejects.toMatchObject({ kind: "invalid", errors: [{ pointer: `/${field}` }] });
  });
});
