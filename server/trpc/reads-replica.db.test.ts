import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCharge } from "../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { verifyMandate } from "../charges/permission/verify-mandate.ts";
import { type Sql, statement } from "../data/client.ts";
import { inSnapshot } from "../data/in-snapshot.ts";
import { recentWriteCookie } from "../kernel/requests/recent-write.ts";
import { revokeMandate } from "../mandates/lifecycle/revoke-mandate.ts";
import { errorOf, grantTo, makeParties, refreshFields, tokenRequest } from "../oauth/grants/granted.fixture.ts";
import { refreshGrant } from "../oauth/grants/refresh-grant.ts";
import { sameOrigin, sessionContextOf } from "./caller.fixture.ts";
import { contextOf } from "./context.ts";
import { makeMember } from "./merchant/merchant-tenant.fixture.ts";
import { createCaller } from "./root.ts";

// docs/spec/operations.md, Reads from a replica. These tests use an open snapshot as the replica: it never shows
// changes that are made after it was opened.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const makeDashboard = async () => {
  const setup = await makeChargeableMandate(deps);
  const accountId = await makeMember(deps, setup.merchant.id, "owner");
  const { chargeId } = await setup.charge();
  return { ...setup, accountId, chargeId, merchantId: setup.merchant.id };
};
let dashboard: Awaited<ReturnType<typeof makeDashboard>>;
beforeEach(async () => {
  dashboard = await makeDashboard();
});

const begin = statement<never>("read_anything", "SELECT id FROM environment");

const behindReplica = (work: (behind: TestDeps) => Promise<void>) =>
  inSnapshot(deps.db, async (sql: Sql) => {
    await sql.query(begin, []);
    const frozen: Sql = {
      query: async (asked, values) => (asked.name === "begin_snapshot" ? [] : sql.query(asked, values)),
    };
    await work({ ...deps, reads: () => ({ ...deps.db, sql: frozen, sqlTransaction: (read) => read(frozen) }) });
  });

const pagesOf = (behind: TestDeps, cookie?: string) => {
  const headers = new Headers(sameOrigin);
  if (cookie) headers.set("cookie", cookie);
  return createCaller(contextOf(behind, { headers, session: sessionContextOf(behind, dashboard.accountId) }));
};

const refund = (behind: TestDeps, amountMinor: number, idempotencyKey: string) =>
  pagesOf(behind).payments.refund({ chargeId: dashboard.chargeId, amountMinor, idempotencyKey, reason: "duplicate" });

test("a list may lag, but not after a change in the same browser", () =>
  behindReplica(async (behind) => {
    await refund(behind, 400, "0123456789abcdef");
    const { merchantId } = dashboard;
    const { entries: before } = await pagesOf(behind).merchantAudit.list({ merchantId });
    const [cookie] = recentWriteCookie.split(";");
    const { entries: after } = await pagesOf(behind, cookie).merchantAudit.list({ merchantId });
    const added = after.slice(0, after.length - before.length).map(({ action }) => action);
    expect(added).toEqual(["refund.created"]);
  }));

test("refunds don't exceed the captured amount, although the replica doesn't have the first refund", () =>
  behindReplica(async (behind) => {
    await refund(behind, 700, "0123456789abcdef");
    expect(await refusalOf(refund(behind, 700, "123456789abcdef0"))).toMatchObject({ code: "UNPROCESSABLE_CONTENT" });
  }));

test("a revoked mandate can't be charged, although the replica shows it as active", () =>
  behindReplica(async (behind) => {
    const { mandateId, payer, merchantId, merchantClient } = dashboard;
    const by = { merchantId, clientId: merchantClient.id, requestId: "req_test" };
    const request = { mandate_id: mandateId, amount: 100, currency: "EUR", payer_presence: "in_session" } as const;
    expect((await verifyMandate(behind, { ...by, request })).valid).toBe(true);
    await revokeMandate(behind, { mandateId, actor: { kind: "payer", id: payer.id }, requestId: "req_test" });
    expect((await verifyMandate(behind, { ...by, request })).reasons).toMatchObject([{ code: "mandate_revoked" }]);
    const charge = requestCharge(behind, { ...by, request, idempotencyKey: "0123456789abcdef" });
    expect((await refusalOf(charge)).reasons).toEqual(["mandate_revoked"]);
  }));

test("a revoked mandate's tokens are refused, although the replica has them as active", async () => {
  const parties = await makeParties(deps);
  const { mandateId, accessToken, refreshToken } = await grantTo(deps, parties);
  const [access, secret] = [await accessToken(), await refreshToken()];
  const payerId = (await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } })).payerId;
  await behindReplica(async (behind) => {
    const isActive = async () => (await introspectAs(behind, parties.agent, access)).active;
    const refresh = async () => refreshGrant(behind, await tokenRequest(deps, parties, refreshFields(secret)));
    expect(await isActive()).toBe(true);
    expect(await errorOf(refresh())).toBe("none");
    await revokeMandate(behind, { mandateId, actor: { kind: "payer", id: payerId }, requestId: "req_test" });
    expect(await isActive()).toBe(false);
    expect(await errorOf(refresh())).toBe("invalid_grant");
  });
});

test("a removed member sees nothing, although the replica has the membership", () =>
  behindReplica(async (behind) => {
    const { accountId, merchantId } = dashboard;
    await deps.db.prisma.merchantMember.deleteMany({ where: { accountId, merchantId } });
    const attempt = pagesOf(behind).payments.list({ merchantId });
    expect(await refusalOf(attempt)).toMatchObject({ code: "NOT_FOUND" });
  }));
