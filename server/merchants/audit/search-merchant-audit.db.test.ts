import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { sentDuring } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { refundCharge } from "../../charges/refunds/refund-charge.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { statement } from "../../data/client.ts";
import { newId } from "../../kernel/ids.ts";
import { makeMember } from "../../trpc/merchant/merchant-tenant.fixture.ts";
import { createMerchantEndpoint } from "../../webhooks/endpoints/create-endpoint.ts";
import { setSuspension } from "../set-suspension.ts";
import { changeSettings } from "../settings/change-settings.ts";
import { getSettings } from "../settings/get-settings.ts";
import { searchOwnAudit } from "./search-merchant-audit.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const search = (merchantId: string, filters: Partial<Parameters<typeof searchOwnAudit>[1]> = {}) =>
  searchOwnAudit(deps, { merchantId, limit: 50, ...filters });

/** Makes a suspended merchant. Before, a member changed a setting, added an endpoint and made a refund. */
const makeHistory = async () => {
  const { merchant, merchantClient, charge } = await makeChargeableMandate(deps);
  const { id: merchantId } = merchant;
  const accountId = await makeMember(deps, merchantId, "owner");
  const by = { actor: { kind: "merchant", id: accountId }, requestId: newId("req") } as const;
  const { versions } = await getSettings(deps, { merchantId });
  const change = { displayName: "Fresher Market" };
  await changeSettings(deps, { merchantId, form: "details", change, version: versions.details, ...by });
  const { endpointId } = await createMerchantEndpoint(deps, { merchantId, url: "https://shop.example/hooks", ...by });
  const { chargeId } = await charge();
  const refund = (actor: { kind: "client" | "merchant"; id: string }, amount: number) =>
    refundCharge(deps, {
      merchantId,
      actor,
      requestId: by.requestId,
      chargeId,
      idempotencyKey: newId("req"),
      request: { amount },
    });
  await refund(by.actor, 100);
  await refund({ kind: "client", id: merchantClient.id }, 100);
  const operator = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_operator" } as const;
  await setSuspension(deps, { merchantId, isSuspended: true, reason: "Secret suspicion", ...operator });
  return { merchantId, accountId, endpointId, chargeId, requestId: by.requestId };
};

describe("a merchant’s audit log (docs/spec/portal.md, Audit log of a merchant)", () => {
  test("contains the actions of members and operators, without operators’ reasons and without the actions of clients", async () => {
    const { merchantId, accountId, endpointId } = await makeHistory();
    const { entries, nextCursor } = await search(merchantId);
    expect(entries.map(({ action }) => action)).toEqual([
      "merchant.suspended",
      "refund.created",
      "webhook_endpoint.created",
      "merchant.settings_changed",
    ]);
    expect(nextCursor).toBeNull();
    const [suspension, , endpoint, settings] = entries;
    expect(suspension?.actor).toEqual({ kind: "operator", id: null, name: null });
    expect(endpoint).toMatchObject({ subjectId: endpointId, actor: { id: accountId, name: "Test Payer" } });
    expect(settings?.data).toEqual({
      before: { displayName: "Fresh Market" },
      after: { displayName: "Fresher Market" },
    });
    expect(JSON.stringify(entries)).not.toMatch(/Secret suspicion|acc_operator/);
  });

  test("doesn’t contain another merchant’s entries, or a member’s actions for another merchant", async () => {
    const { accountId } = await makeHistory();
    const { id: otherId } = await makeMerchant(deps);
    expect((await search(otherId)).entries).toEqual([]);
    expect((await search(otherId, { actor: accountId })).entries).toEqual([]);
  });

  test("can be filtered by topic, actor, id and dates", async () => {
    const { merchantId, accountId, endpointId, chargeId, requestId } = await makeHistory();
    const actions = async (filters: Parameters<typeof search>[1]) =>
      (await search(merchantId, filters)).entries.map(({ action }) => action);
    expect(await actions({ topic: "payments" })).toEqual(["refund.created"]);
    expect(await actions({ actor: "operator" })).toEqual(["merchant.suspended"]);
    expect(await actions({ actor: accountId })).toHaveLength(3);
    expect(await actions({ id: endpointId })).toEqual(["webhook_endpoint.created"]);
    expect(await actions({ id: chargeId })).toEqual(["refund.created"]);
    expect(await actions({ id: requestId })).toHaveLength(3);
    expect(await actions({ until: new Date(Date.now() - 86_400_000) })).toEqual([]);
    expect(await actions({ from: new Date(Date.now() - 86_400_000) })).toHaveLength(4);
  });

  test("pages contain each entry once, and a search for a rare entry continues after 2,000 entries", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1_000);
    const entry = { actor: { kind: "system", id: "test" }, requestId: "req_test", subjectId: merchantId } as const;
    await appendAudit(deps.db.sql, { ...entry, at: at(0), action: "merchant.created" });
    await deps.db.prisma.$executeRaw`
      INSERT INTO audit_entry (at, actor_kind, actor_id, action, subject_id, request_id, data)
      SELECT ${at(1)}::timestamptz + n * interval '1 second', 'system', 'test', 'merchant.settings_changed',
             ${merchantId}, 'req_' || n, '{}' FROM generate_series(1, 2100) n`;
    const first = await search(merchantId, { topic: "settings", limit: 2_050 });
    expect(first.entries).toHaveLength(2_000);
    const rest = await search(merchantId, { topic: "settings", limit: 100, cursor: first.nextCursor ?? "" });
    expect(rest.entries).toHaveLength(100);
    expect(new Set([...first.entries, ...rest.entries].map(({ seq }) => seq)).size).toBe(2_100);
    const rare = await search(merchantId, { id: "req_1" });
    expect(rare).toMatchObject({ entries: [], nextCursor: expect.any(String) });
    const found = await search(merchantId, { id: "req_1", cursor: rare.nextCursor ?? "" });
    expect(found.entries.map(({ requestId }) => requestId)).toEqual(["req_1"]);
  });

  test("reads each kind of entry by its index, so that recorded usage and other merchants' entries aren't read", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    await deps.db.prisma.$executeRaw`
      INSERT INTO audit_entry (at, actor_kind, actor_id, action, subject_id, request_id, data)
      SELECT now() - n * interval '1 second', 'client', 'cl_1', 'usage.recorded', ${merchantId}, 'req_1', '{}'
        FROM generate_series(1, 20000) n`;
    await deps.db.prisma.$executeRawUnsafe("ANALYZE audit_entry");
    const texts = await sentDuring(() => search(merchantId));
    const text = texts.find((sent) => sent.includes("actorKind")) ?? "";
    const values = [merchantId, new Date(0), new Date(), new Date(), 0, ["merchant.created"], null, null, null, 10];
    const plan = await deps.db.sqlTransaction((sql) =>
      sql.query<{ "QUERY PLAN": string }>(statement("explain_merchant_audit", `EXPLAIN (ANALYZE) ${text}`), values),
    );
    const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(lines).not.toContain("Seq Scan on audit_entry");
    expect(lines).not.toMatch(/Rows Removed by Filter: \d{3,}/);
  });
});
