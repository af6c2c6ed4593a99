import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { changeOwnClient } from "./change-own-client.ts";
import { deleteOwnClient } from "./delete-own-client.ts";
import { findOwnClientMerchant } from "./find-own-client-merchant.ts";
import { getOwnClient } from "./get-own-client.ts";
import { listMerchantClients } from "./list-merchant-clients.ts";
import { registerOwnClient } from "./register-own-client.ts";

// docs/spec/portal.md, Apps and keys.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ config: { environment: "production" } });
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_member" }, requestId: "req_test" } as const;
type Change = Parameters<typeof changeOwnClient>[1]["change"];

const makeApp = async () => {
  const merchantId = (await makeMerchant(deps)).id;
  const jwk = (await makeKey()).publicJwk;
  const app = { merchantId, name: "Checkout", scopes: ["charges.read", "billing.read"], jwk };
  const { clientId } = await registerOwnClient(deps, { ...app, ...by });
  return {
    merchantId,
    clientId,
    change: (change: Change) => changeOwnClient(deps, { merchantId, clientId, change, ...by }),
    read: () => getOwnClient(deps, { merchantId, clientId }),
    row: () => deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } }),
  };
};

const newKey = async (endsOthers = false) =>
  ({ kind: "add_key", jwk: { ...(await makeKey()).publicJwk, kid: newId("req") }, endsOthers }) as const;

const actionsOf = async (clientId: string) =>
  (
    await deps.db.prisma.$queryRaw<{ action: string; actor: string }[]>`
      SELECT action, actor_id AS actor FROM audit_entry WHERE subject_id = ${clientId} ORDER BY seq`
  ).map(({ action, actor }) => `${action} ${actor}`);

describe("rotation", () => {
  test("a new key is valid alongside the old key, which is then removed; repeating a step changes nothing", async () => {
    const app = await makeApp();
    const old = (await app.read()).keys[0]?.thumbprint ?? "";
    const key = await newKey();
    await app.change(key);
    await app.change(key);
    expect((await app.read()).keys).toHaveLength(2);
    await app.change({ kind: "remove_key", thumbprint: old });
    await app.change({ kind: "remove_key", thumbprint: old });
    expect((await app.read()).keys).toHaveLength(1);
    expect(await app.row()).toMatchObject({ version: 3, epoch: 1 });
    expect(await actionsOf(app.clientId)).toEqual([
      "client.registered acc_member",
      "client.updated acc_member",
      "client.updated acc_member",
    ]);
  });

  test("a key that is added after a leak removes the other keys and ends all access tokens", async () => {
    const app = await makeApp();
    await app.change(await newKey(true));
    expect((await app.read()).keys).toHaveLength(1);
    expect(await app.row()).toMatchObject({ epoch: 2 });
  });

  test("two concurrent changes are both kept", async () => {
    const app = await makeApp();
    const outcomes = await Promise.allSettled([app.change(await newKey()), app.change(await newKey())]);
    const added = outcomes.filter(({ status }) => status === "fulfilled").length;
    expect((await app.read()).keys).toHaveLength(1 + added);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "changed_meanwhile" });
    }
  });

  test("keeps the last use of each key", async () => {
    const app = await makeApp();
    const [key] = (await app.read()).keys;
    const lastUsedAt = new Date("2026-11-26T10:00:00Z");
    await deps.db.prisma.clientKeyUse.create({ data: { clientId: app.clientId, kid: key?.kid ?? "", lastUsedAt } });
    expect((await app.read()).keys[0]?.lastUsedAt).toEqual(lastUsedAt);
  });
});

describe("edit", () => {
  test("changes name and scopes; a removed scope ends the access tokens", async () => {
    const app = await makeApp();
    await app.change({ kind: "edit", name: "Store", scopes: ["charges.read", "billing.read"], jwksUri: null });
    expect(await app.row()).toMatchObject({ name: "Store", epoch: 1 });
    await app.change({ kind: "edit", name: "Store", scopes: ["charges.read"], jwksUri: null });
    expect(await app.row()).toMatchObject({ scopes: ["charges.read"], epoch: 2 });
  });

  test.each([
    ["/scopes", { scopes: [] }],
    ["/scopes", { scopes: ["grant_management_query"] }],
    ["/name", { name: "Checkout\u202etuokcehC" }],
    ["/jwksUri", { jwksUri: "http://shop.example/jwks" }],
  ])("refuses an invalid value at %s", async (pointer, wish) => {
    const app = await makeApp();
    const edit = { kind: "edit", name: "Store", scopes: ["charges.read"], jwksUri: null, ...wish } as const;
    await expect(app.change(edit)).rejects.toMatchObject({ kind: "invalid", errors: [{ pointer }] });
  });

  test("refuses a private key", async () => {
    const app = await makeApp();
    const jwk = { kty: "EC", crv: "P-256", x: "AA", y: "AA", d: "AA" };
    const errors = [{ pointer: "/jwk" }];
    await expect(app.change({ kind: "add_key", jwk, endsOthers: false })).rejects.toMatchObject({ errors });
  });
});

test("another merchant can't read, change or delete the app", async () => {
  const [app, other] = [await makeApp(), await makeApp()];
  const foreign = { merchantId: other.merchantId, clientId: app.clientId };
  const notFound = { kind: "not_found" };
  await expect(getOwnClient(deps, foreign)).rejects.toMatchObject(notFound);
  const change = await newKey();
  await expect(changeOwnClient(deps, { ...foreign, change, ...by })).rejects.toMatchObject(notFound);
  await deleteOwnClient(deps, { ...foreign, ...by });
  expect(await app.read()).toMatchObject({ name: "Checkout" });
});

test("a search finds only the merchant's own apps, by a part of the name in upper or lower case, or by the whole id", async () => {
  const [{ merchantId, clientId }, other] = [await makeApp(), await makeApp()];
  const find = async (search: string) =>
    (await listMerchantClients(deps, { merchantId, search, limit: 10 })).clients.map(({ id }) => id);
  expect(await find("HECK")).toEqual([clientId]);
  expect(await find(clientId)).toEqual([clientId]);
  for (const search of ["check%", clientId.slice(0, -1), other.clientId]) expect(await find(search)).toEqual([]);
});

test("deletes an app once: the app can no longer be listed or read, and its tokens end", async () => {
  const app = await makeApp();
  const { merchantId, clientId } = app;
  await Promise.all([1, 2].map(() => deleteOwnClient(deps, { merchantId, clientId, ...by })));
  await expect(app.read()).rejects.toMatchObject({ kind: "not_found" });
  expect((await listMerchantClients(deps, { merchantId, limit: 10 })).clients).toEqual([]);
  expect(await findOwnClientMerchant(deps, { clientId })).toBe(merchantId);
  expect(await app.row()).toMatchObject({ epoch: 2 });
  expect((await actionsOf(clientId)).filter((entry) => entry.startsWith("client.deleted"))).toHaveLength(1);
});

test("a repeated registration returns the same app, even if both requests are sent at the same time", async () => {
  const merchantId = (await makeMerchant(deps)).id;
  const jwk = (await makeKey()).publicJwk;
  const input = { merchantId, name: "Checkout", scopes: ["charges.read"], jwk, idempotencyKey: newId("req"), ...by };
  const [first, second] = await Promise.all([registerOwnClient(deps, input), registerOwnClient(deps, input)]);
  expect(second).toEqual(first);
  expect(await registerOwnClient(deps, input)).toEqual(first);
  expect((await listMerchantClients(deps, { merchantId, limit: 10 })).clients).toHaveLength(1);
});
