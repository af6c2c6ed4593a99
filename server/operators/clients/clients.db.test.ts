import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { makeAgentClient, makeMerchant, makeMerchantClient, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { recordKeyUses } from "../../data/merchants/own-clients.ts";
import { findClientPage } from "../../data/operators/client-search.ts";
import { enrolMerchant } from "../../directory/participants/enrol-participant.ts";
import { deleteOAuthClient } from "./delete-oauth-client.ts";
import { getOAuthClient } from "./get-oauth-client.ts";
import { listOAuthClients } from "./list-oauth-clients.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const actor = { kind: "operator", id: "acc_operator" } as const;
const name = (id: string, text: string, data: object = {}) =>
  deps.db.prisma.client.update({ where: { id }, data: { name: text, ...data } });
type Query = Parameters<typeof listOAuthClients>[1];
const find = async (query: Partial<Query> = {}) =>
  (await listOAuthClients(deps, { limit: 50, ...query })).clients.map(({ id }) => id);
const pagesOf = async (query: Partial<Query>): Promise<string[]> => {
  const ids: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await listOAuthClients(deps, { ...query, limit: 2, startingAfter: ids.at(-1) });
    ids.push(...page.clients.map(({ id }) => id));
    ({ hasMore } = page);
  }
  return ids;
};

describe("the operators' list of clients (docs/spec/portal.md, Operator console)", () => {
  test("searches by id, owner and the start of a name; filters by kind and state; pages contain each client once", async () => {
    const merchant = await makeMerchant(deps);
    const made: string[] = [];
    for (const make of [
      makeAgentClient,
      makeAgentClient,
      () => makeMerchantClient(deps, merchant.id),
      makeAgentClient,
    ]) {
      deps.clock.advance(1);
      made.push((await make(deps)).id);
    }
    const [beta = "", alpha = "", till = "", gone = ""] = made;
    await name(beta, "Shopper beta");
    await name(alpha, "shopper Alpha");
    await name(till, "Till");
    await name(gone, "Shopper gone", { deletedAt: deps.clock.now() });
    const probe = (await makeAgentClient(deps)).id;
    await name(probe, "Shopper probe", { isProbe: true });

    expect(await find()).toEqual([gone, till, alpha, beta]);
    expect(await pagesOf({})).toEqual([gone, till, alpha, beta]);
    expect(await find({ search: "SHOPPER" })).toEqual([alpha, beta, gone]);
    expect(await pagesOf({ search: "shopper" })).toEqual([alpha, beta, gone]);
    expect(await find({ search: merchant.id })).toEqual([till]);
    expect(await find({ search: alpha })).toEqual([alpha]);
    expect(await find({ search: probe })).toEqual([]);
    expect(await find({ kind: "merchant" })).toEqual([till]);
    expect(await pagesOf({ kind: "agent", state: "active" })).toEqual([alpha, beta]);
    expect(await find({ state: "deleted" })).toEqual([gone]);
    expect(await find({ search: "shopper", state: "active" })).toEqual([alpha, beta]);
    for (const search of ["%", "opper", "cl_test_nowhere", "mch_nowhere"]) expect(await find({ search })).toEqual([]);
    const { clients } = await listOAuthClients(deps, { search: till, limit: 1 });
    expect(clients).toMatchObject([{ merchantId: merchant.id, merchantName: "Fresh Market", kind: "merchant" }]);
  });

  test("a query with an empty cursor doesn't affect a query without a cursor on the same connection", async () => {
    const page = { kind: null, state: null, startingAfter: null, limit: 10 };
    const sizes = await deps.db.sqlTransaction(async (sql) => [
      (await findClientPage(sql, { kind: "all" }, { ...page, startingAfter: "" })).length,
      (await findClientPage(sql, { kind: "all" }, page)).length,
    ]);
    expect(sizes).toEqual([0, 4]);
  });

  test("a page reads about as many rows as it returns, with any number of clients", async () => {
    await deps.db.prisma.$executeRawUnsafe(`INSERT INTO client SELECT (r).* FROM (
      SELECT jsonb_populate_record(c, jsonb_build_object('id', 'cl_test_many' || n, 'name', 'Many ' || n, 'deleted_at', NULL,
               'created_at', now() - n * interval '1 minute')) AS r
        FROM (SELECT c FROM client c WHERE kind = 'agent' LIMIT 1) AS one, generate_series(1, 3000) n) AS old`);
    await deps.db.prisma.$executeRawUnsafe("ANALYZE client");
    const page = { kind: null, state: null, startingAfter: null, limit: 10 };
    const reads = (work: Parameters<typeof countReads>[1]) =>
      deps.db.sqlTransaction(async (sql) => (await countReads(sql, work)).reads);
    const all = { kind: "all" } as const;
    expect(await reads((sql) => findClientPage(sql, all, page))).toBeLessThan(100);
    expect(await reads((sql) => findClientPage(sql, all, { ...page, kind: "merchant" }))).toBeLessThan(100);
    expect(await reads((sql) => findClientPage(sql, all, { ...page, state: "deleted" }))).toBeLessThan(100);
    expect(await reads((sql) => findClientPage(sql, { kind: "name", text: "many 2" }, page))).toBeLessThan(100);
  });
});

describe("an operator sees and deletes a client", () => {
  const end = (clientId: string) =>
    deleteOAuthClient(deps, { clientId, reason: "It spends for strangers", actor, requestId: "r" });

  test("a client is shown with its grants, mandates, and the last use of each key; only one of two concurrent deletions succeeds and is recorded", async () => {
    const setup = await makeChargeableMandate(deps);
    const { mandateId } = setup;
    const { clientId } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } });
    const usedAt = new Date("2026-11-20T10:00:00Z");
    await recordKeyUses(deps.db.sql, [{ clientId, kid: "test", at: usedAt }]);
    const before = await getOAuthClient(deps, { clientId });
    expect(before.holdings).toEqual({ grants: 1, mandates: 1 });
    expect(before.keys).toEqual([expect.objectContaining({ kid: "test", alg: "ES256", lastUsedAt: usedAt })]);
    expect(JSON.stringify(before)).not.toContain("TokenHash");

    const results = await Promise.allSettled([end(clientId), end(clientId)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const after = await getOAuthClient(deps, { clientId });
    expect(after.client.state).toBe("deleted");
    expect(after.holdings).toEqual({ grants: 0, mandates: 0 });
    expect(after.history).toMatchObject([
      {
        action: "client.deleted",
        actorKind: "operator",
        actorId: actor.id,
        data: { reason: "It spends for strangers" },
      },
    ]);
    const mandate = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } });
    expect(mandate.state).toBe("revoked");
    await expect(setup.charge()).rejects.toMatchObject({ kind: "forbidden" });
  });

  test("the owner of the client's directory entry gets an e-mail, without the reason", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const { id: accountId } = await makePayer(deps);
    const [at, { environment }] = [deps.clock.now(), deps.config];
    await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role: "owner", createdAt: at } });
    await deps.db.sqlTransaction((sql) => enrolMerchant(sql, { merchantId, changedBy: "operator", environment, at }));
    const { id: participantId } = await deps.db.prisma.participant.findUniqueOrThrow({ where: { merchantId } });
    const { id: clientId } = await makeMerchantClient(deps, merchantId);
    await name(clientId, "Till", { participantId, metadata: { client_name: "Till" } });
    await end(clientId);
    const mails = await deps.db.prisma.mail.findMany({ where: { kind: "app_deleted" } });
    expect(mails).toMatchObject([
      { recipient: `${accountId.toLowerCase()}@example.test`, subject: expect.stringContaining("Till was deleted") },
    ]);
    expect(mails[0]?.text).toContain(`Client ID: ${clientId}`);
    expect(mails[0]?.text).not.toContain("It spends for strangers");
  });

  test("an unknown client is refused", async () => {
    await expect(end("cl_test_nowhere")).rejects.toMatchObject({ code: "client_not_found" });
    await expect(getOAuthClient(deps, { clientId: "cl_test_nowhere" })).rejects.toMatchObject({ kind: "not_found" });
  });
});
