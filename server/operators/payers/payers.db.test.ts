import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { makeAgentClient, makeGrant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { auditOf, enter, info, mailKindsTo, mailsTo, makeAccount } from "../../accounts/security.fixture.ts";
import { listSessions } from "../../accounts/sessions/list-sessions.ts";
import { findPayerPage, searchPayerPage } from "../../data/operators/payer-search.ts";
import { endPayerSessions } from "./end-payer-sessions.ts";
import { getPayer } from "./get-payer.ts";
import { listPayers } from "./list-payers.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const makeNamed = async (displayName: string, email: string, data: object = {}): Promise<string> => {
  deps.clock.advance(1);
  const { id } = await makePayer(deps);
  await deps.db.prisma.account.update({ where: { id }, data: { displayName, email, ...data } });
  return id;
};
type Query = Parameters<typeof listPayers>[1];
const find = async (query: Partial<Query>) =>
  (await listPayers(deps, { limit: 50, ...query })).payers.map(({ id }) => id);
const pagesOf = async (query: Partial<Query>): Promise<string[]> => {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listPayers(deps, { limit: 2, ...query, cursor });
    ids.push(...page.payers.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
};

describe("the operators' list of payers (docs/spec/portal.md, Operator console)", () => {
  test("searches by id, the start of an address or of a name, and state; pages contain each account once", async () => {
    const now = deps.clock.now();
    const zoe = await makeNamed("Zoë Quill", "quill@shore.example");
    const quentin = await makeNamed("Quentin", "quentin@shore.example");
    const quilla = await makeNamed("quilla", "other@shore.example");
    const percent = await makeNamed("100% Quill", "percent@shore.example");
    const leaving = await makeNamed("Quiet", "leaving@shore.example", { deletionRequestedAt: now });
    const gone = await makeNamed("Deleted", "gone@shore.example", { deletionRequestedAt: now, deletedAt: now });
    const probe = await makeNamed("Quill Probe", "quill-probe@shore.example", { isProbe: true });
    const all = [gone, leaving, percent, quilla, quentin, zoe];
    expect(await find({})).toEqual(all);
    expect(await pagesOf({})).toEqual(all);
    expect(await find({ search: zoe })).toEqual([zoe]);
    expect(await find({ search: zoe, state: "deleted" })).toEqual([]);
    expect(await find({ search: probe })).toEqual([]);
    expect(await find({ search: "QUILL@shore.example" })).toEqual([zoe]);
    // Matches by address come first, then those by name. An account that matches by both is listed once.
    expect(await find({ search: "Qui" })).toEqual([zoe, leaving, quilla]);
    expect(await pagesOf({ search: "Qui" })).toEqual([zoe, leaving, quilla]);
    expect(await pagesOf({ search: "qu" })).toEqual([quentin, zoe, leaving, quilla]);
    expect(await find({ search: "zoë" })).toEqual([zoe]);
    expect(await find({ search: "100%" })).toEqual([percent]);
    for (const search of ["%", "_", "shore", "acc_nowhere"]) expect(await find({ search })).toEqual([]);
    expect(await find({ state: "deleting" })).toEqual([leaving]);
    expect(await find({ state: "deleted" })).toEqual([gone]);
    expect(await find({ search: "Qui", state: "active" })).toEqual([zoe, quilla]);
  });

  test("a page reads about as many rows as it returns, with any number of accounts", async () => {
    await deps.db.prisma.$executeRawUnsafe(`INSERT INTO account (id, email, display_name, created_at)
      SELECT 'acc_many' || n, 'many' || n || '@many.example', 'Many ' || n, now() - n * interval '1 minute'
        FROM generate_series(1, 4000) n`);
    await deps.db.prisma.$executeRawUnsafe("ANALYZE account");
    const page = { state: null, startingAfter: null, limit: 10 };
    const reads = (work: Parameters<typeof countReads>[1]) =>
      deps.db.sqlTransaction(async (sql) => (await countReads(sql, work)).reads);
    expect(await reads((sql) => findPayerPage(sql, page))).toBeLessThan(60);
    expect(await reads((sql) => findPayerPage(sql, { ...page, state: "deleted" }))).toBeLessThan(60);
    const search = { text: "many", state: null, after: null, limit: 10 } as const;
    for (const after of [null, "acc_many2"]) {
      for (const [by, text] of [
        ["email", "many"],
        ["email", "many2"],
        ["name", "many 2"],
        ["name", "zoë"],
      ] as const) {
        expect(await reads((sql) => searchPayerPage(sql, { ...search, by, text, after }))).toBeLessThan(60);
      }
    }
  });

  test("a search reads a limited number of accounts, and its next page continues after them", async () => {
    const search = { text: "many", by: "name", state: null, after: null, limit: 10 } as const;
    const read = (query: Partial<Parameters<typeof searchPayerPage>[1]>) =>
      deps.db.sqlTransaction((sql) => countReads(sql, (counted) => searchPayerPage(counted, { ...search, ...query })));
    // No account is found by name, because all of them were already found by address.
    const { done, reads } = await read({});
    expect(done).toEqual({ payers: [], next: { after: expect.any(String) } });
    expect(reads).toBeLessThan(1_100);
    const ofState = await read({ by: "email", state: "deleted" });
    expect(ofState.done.payers).toEqual([]);
    expect(ofState.reads).toBeLessThan(1_100);

    await makeNamed("many zzz", "unlike@many.example");
    await makeNamed("Unlike", "many9999@zzz.example", {
      deletionRequestedAt: deps.clock.now(),
      deletedAt: deps.clock.now(),
    });
    const ids = await pagesOf({ search: "many", limit: 100 });
    expect([ids.length, new Set(ids).size]).toEqual([4_002, 4_002]);
    expect(await pagesOf({ search: "MANY", state: "deleted" })).toHaveLength(1);
    await expect(listPayers(deps, { search: "many", cursor: "acc_many1", limit: 2 })).rejects.toMatchObject({
      kind: "invalid",
    });
  });

  test("a generic query plan also reads the accounts in the order of the index", async () => {
    const plans = await deps.db.sqlTransaction(async (sql) => {
      await sql.query(
        { name: "always_generic", text: "SELECT set_config('plan_cache_mode', 'force_generic_plan', true)" },
        [],
      );
      const counts: number[] = [];
      for (const by of ["email", "name"] as const) {
        for (const after of [null, "acc_many2"]) {
          const query = { text: by === "email" ? "many" : "many ", by, state: null, after, limit: 10 };
          counts.push((await countReads(sql, (counted) => searchPayerPage(counted, query))).reads);
        }
      }
      return counts;
    });
    for (const reads of plans) expect(reads).toBeLessThan(60);
  });
});

describe("an account as operators see it", () => {
  test("has facts and history, but no secrets, no IP addresses, and no card names that the payer chose", async () => {
    const account = await makeAccount(deps);
    await enter(deps, account.email);
    const card = { processor: "simulator", processorRef: "pm_secret_ref", type: "card", label: "Visa ending in 4242" };
    await deps.db.prisma.paymentMethod.create({
      data: {
        id: `pm_${account.id}`,
        payerId: account.id,
        ...card,
        nickname: "Secret nickname",
        createdAt: new Date(),
      },
    });
    const found = await getPayer(deps, { accountId: account.id });
    expect(found.payer).toMatchObject({ state: "active", hasPassword: true, passkeys: 0, liveSessions: 1 });
    expect(found.payer.lastSignInAt).not.toBeNull();
    expect(found.paymentMethods).toEqual([
      { id: `pm_${account.id}`, type: "card", label: "Visa ending in 4242", isDefault: false },
    ]);
    expect(found.signIns.map(({ outcome }) => outcome)).toEqual(["signed_in"]);
    expect(found.history.map(({ action }) => action)).toContain("session.opened");
    const text = JSON.stringify(found, (_, value) => (typeof value === "bigint" ? Number(value) : value));
    for (const secret of ["argon2", "Secret nickname", "pm_secret_ref", info.ipAddress])
      expect(text).not.toContain(secret);
    await expect(getPayer(deps, { accountId: "acc_nowhere" })).rejects.toMatchObject({ code: "account_not_found" });
  });

  test("lists all connected apps in pages of ten", async () => {
    const { id: accountId } = await makePayer(deps);
    const clientIds: string[] = [];
    for (let count = 0; count < 12; count++) {
      deps.clock.advance(1);
      const { id: clientId } = await makeAgentClient(deps);
      await makeGrant(deps, { clientId, payerId: accountId });
      clientIds.unshift(clientId);
    }
    const appsAfter = async (after?: string) => {
      const { apps, hasMoreApps } = await getPayer(deps, { accountId, appsAfter: after });
      return [apps.map(({ id }) => id), hasMoreApps];
    };
    expect(await appsAfter()).toEqual([clientIds.slice(0, 10), true]);
    expect(await appsAfter(clientIds[9])).toEqual([clientIds.slice(10), false]);
  });
});

describe("ending all sessions of an account", () => {
  const actor = { kind: "operator", id: "acc_operator" } as const;
  const end = (accountId: string) =>
    endPayerSessions(deps, { accountId, reason: "A laptop was stolen", actor, requestId: "r" });

  test("ends each live session once, audited with the reason, and informs the owner without the reason", async () => {
    const [account, other] = [await makeAccount(deps, { locale: "de-DE" }), await makeAccount(deps)];
    await enter(deps, account.email);
    await enter(deps, account.email);
    await enter(deps, other.email);
    const results = await Promise.all([end(account.id), end(account.id)]);
    expect(results.map(({ endedSessions }) => endedSessions).toSorted()).toEqual([0, 2]);
    expect((await listSessions(deps, { accountId: account.id, limit: 9 })).sessions).toEqual([]);
    expect((await listSessions(deps, { accountId: other.id, limit: 9 })).sessions).toHaveLength(1);
    expect(await auditOf(deps, account.id)).toContain("account.signed_out");
    const { history } = await getPayer(deps, { accountId: account.id });
    expect(history).toContainEqual(
      expect.objectContaining({
        action: "account.signed_out",
        actorId: actor.id,
        data: { reason: "A laptop was stolen", sessions: 2 },
      }),
    );
    expect((await mailKindsTo(deps, account.email)).filter((kind) => kind === "signed_out")).toHaveLength(1);
    const mail = (await mailsTo(deps, account.email)).find(({ kind }) => kind === "signed_out");
    expect(mail?.subject).toBe("[Sandbox] Sie wurden überall abgemeldet");
    expect(mail?.text).not.toContain("laptop");
  });

  test("changes nothing for an account without sessions, and refuses an unknown one", async () => {
    const account = await makeAccount(deps);
    expect(await end(account.id)).toEqual({ endedSessions: 0 });
    expect(await auditOf(deps, account.id)).toEqual([]);
    expect(await mailKindsTo(deps, account.email)).toEqual([]);
    await expect(end("acc_nowhere")).rejects.toMatchObject({ code: "account_not_found" });
  });
});
