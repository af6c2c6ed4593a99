import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { findPayments } from "../../charges/lists/find-payments.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getMerchantMandate } from "./get-merchant-mandate.ts";
import { findMerchantMandates } from "./list-merchant-mandates.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const list = (merchantId: string, filters: Partial<Parameters<typeof findMerchantMandates>[1]> = {}) =>
  findMerchantMandates(deps, { merchantId, limit: 25, ...filters });
const idsOf = async (...query: Parameters<typeof list>) => (await list(...query)).mandates.map(({ id }) => id);

describe("a merchant’s mandates (docs/spec/portal.md, Mandates of a merchant)", () => {
  test("are those that name the merchant or were charged by it; no other merchant sees them", async () => {
    const { merchant, mandateId, agent } = await makeChargeableMandate(deps);
    const { mandates } = await list(merchant.id);
    expect(mandates).toMatchObject([
      { id: mandateId, state: "active", isNamed: true, client: { id: agent.id, name: "Grocer Bot" } },
    ]);
    const { id: otherId } = await makeMerchant(deps);
    expect(await idsOf(otherId)).toEqual([]);
    await expect(getMerchantMandate(deps, { merchantId: otherId, mandateId })).rejects.toMatchObject({
      kind: "not_found",
    });
    // A merchant that the mandate doesn't name can charge it if the credential is presented.
    await deps.db.prisma.$executeRaw`
      INSERT INTO charge SELECT (jsonb_populate_record(null::charge, to_jsonb(c) || jsonb_build_object(
        'id', c.id || '_other', 'merchant_id', ${otherId}::text, 'mandate_id', ${mandateId}::text))).*
        FROM charge c WHERE c.id = ${(await (await makeChargeableMandate(deps)).charge()).chargeId}`;
    expect((await list(otherId)).mandates).toMatchObject([{ id: mandateId, isNamed: false }]);
  });

  test.each([{ to: "other payees" }, { to: "no payees" }])(
    "don’t include a mandate that was changed to $to, unless the merchant charged it before",
    async ({ to }) => {
      const uncharged = await makeChargeableMandate(deps);
      const charged = await makeChargeableMandate(deps);
      await charged.charge({ amount: 100 });
      const { id: otherId } = await makeMerchant(deps);
      await deps.db.prisma.mandate.updateMany({
        where: { id: { in: [uncharged.mandateId, charged.mandateId] } },
        data: { payeeMerchantIds: to === "no payees" ? [] : [otherId] },
      });
      expect(await idsOf(uncharged.merchant.id)).toEqual([]);
      expect((await list(charged.merchant.id)).mandates).toMatchObject([{ id: charged.mandateId, isNamed: false }]);
      expect(await idsOf(otherId)).toHaveLength(to === "no payees" ? 0 : 2);
      // The column is null for a mandate without the restriction.
      await deps.db.prisma.$executeRaw`
        UPDATE mandate SET payee_merchant_ids = NULL WHERE id IN (${uncharged.mandateId}, ${charged.mandateId})`;
      expect(await idsOf(otherId)).toEqual([]);
      expect(await idsOf(charged.merchant.id)).toEqual([charged.mandateId]);
    },
  );

  test("a search for a mandate’s id returns only this mandate and no next page, even if the merchant has thousands of newer mandates", async () => {
    const { merchant, mandateId } = await makeChargeableMandate(deps);
    await deps.db.prisma.$executeRaw`
      INSERT INTO mandate SELECT (jsonb_populate_record(m, jsonb_build_object(
        'id', m.id || '_' || n, 'created_at', m.created_at + n * interval '1 second'))).*
        FROM mandate m, generate_series(1, 2100) n WHERE m.id = ${mandateId}`;
    const { mandates, nextCursor } = await list(merchant.id, { search: mandateId });
    expect([mandates.map(({ id }) => id), nextCursor]).toEqual([[mandateId], null]);
  });

  test("show limits only if the payer allowed it, and nothing about the payer", async () => {
    const hidden = await makeChargeableMandate(deps);
    const shown = await makeChargeableMandate(deps, { max_total_amount: 9_000 }, { budgetVisible: true });
    await shown.charge({ amount: 1_500 });
    const read = ({ merchant, mandateId }: typeof hidden) =>
      getMerchantMandate(deps, { merchantId: merchant.id, mandateId });
    expect((await read(hidden)).limits).toBeNull();
    const { limits, ...mandate } = await read(shown);
    expect(limits?.find(({ kind }) => kind === "total")).toMatchObject({ capMinor: 9_000n, leftMinor: 7_500n });
    expect(JSON.stringify(mandate)).not.toMatch(new RegExp(`${shown.payer.id}|example.test|Test Payer`));
  });

  test("list only the merchant’s own payments", async () => {
    const { merchant, mandateId, charge } = await makeChargeableMandate(deps);
    const ids = [(await charge({ amount: 100 })).chargeId, (await charge({ amount: 200 })).chargeId];
    const { id: otherId } = await makeMerchant(deps);
    const read = (merchantId: string, limit: number) => findPayments(deps, { merchantId, mandateId, limit });
    const { payments, hasMore } = await read(merchant.id, 20);
    expect([payments.map(({ id }) => id).toSorted(), hasMore]).toEqual([ids.toSorted(), false]);
    expect(await read(merchant.id, 1)).toMatchObject({ hasMore: true });
    expect((await read(otherId, 20)).payments).toEqual([]);
  });

  test("are found by state, id and agent, even after they end, in pages without gaps", async () => {
    const { merchant, mandateId, agent } = await makeChargeableMandate(deps);
    const copies = 60;
    await deps.db.prisma.$executeRaw`
      INSERT INTO mandate SELECT (jsonb_populate_record(m, jsonb_build_object(
        'id', m.id || '_' || n, 'created_at', m.created_at - (n % 7) * interval '1 minute'))).*
        FROM mandate m, generate_series(1, ${copies}::int) n WHERE m.id = ${mandateId}`;
    const [ended, paused] = [`${mandateId}_1`, `${mandateId}_2`];
    const before = addSeconds(deps.clock.now(), -60);
    await deps.db.prisma.mandate.update({
      where: { id: ended },
      data: { validFrom: addSeconds(before, -60), validUntil: before },
    });
    await deps.db.prisma.mandate.update({
      where: { id: paused },
      data: { state: "suspended", suspendedBy: ["payer"] },
    });
    expect(await idsOf(merchant.id, { states: ["expired"] })).toEqual([ended]);
    expect(await idsOf(merchant.id, { states: ["suspended"] })).toEqual([paused]);
    expect(await idsOf(merchant.id, { search: paused })).toEqual([paused]);
    expect(await idsOf(merchant.id, { search: agent.id, limit: 100 })).toHaveLength(copies + 1);
    expect(await idsOf(merchant.id, { search: "GROCER", limit: 100 })).toHaveLength(copies + 1);
    expect(await idsOf(merchant.id, { search: "Other Bot" })).toEqual([]);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list(merchant.id, { limit: 7, cursor });
      seen.push(...page.mandates.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([copies + 1, copies + 1]);
  });
});
