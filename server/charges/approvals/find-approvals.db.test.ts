import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { getApproval, listApprovals } from "./find-approvals.ts";
import { findChargePayer } from "./payer-charge.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());

const atBank = { kind: "requires_action", processorRef: "r", actionUrl: "https://bank.example/3ds" } as const;

describe("payments that wait for the payer (docs/spec/portal.md, Approvals)", () => {
  test("are listed only to their payer, sorted by expiry, and only for 15 minutes", async () => {
    const [own, other] = [
      await makeChargeableMandate(deps, { step_up_above: 1 }),
      await makeChargeableMandate(deps, { step_up_above: 1 }),
    ];
    const first = await own.charge({ reference: "order-1", payer_presence: "off_session" });
    deps.clock.advance(60);
    const second = await own.charge({ capture_method: "manual" });
    await other.charge();
    const list = await listApprovals(deps, { payerId: own.payer.id });
    expect(list).toMatchObject([
      { id: first.chargeId, approvalState: "waiting", isPayerAway: true, isCapturedLater: false, reference: "order-1" },
      { id: second.chargeId, approvalState: "waiting", isPayerAway: false, isCapturedLater: true, bankUrl: null },
    ]);
    deps.clock.advance(14 * 60);
    expect((await listApprovals(deps, { payerId: own.payer.id })).map(({ id }) => id)).toEqual([second.chargeId]);
    const lapsed = await getApproval(deps, { payerId: own.payer.id, chargeId: first.chargeId });
    expect(lapsed).toMatchObject({ approvalState: "expired", expiresAt: null });
  });

  test("expired charges that the worker hasn't ended yet don't hide later charges", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    const { chargeId } = await setup.charge();
    await deps.db.prisma.$executeRaw`INSERT INTO charge SELECT (r).* FROM (
      SELECT jsonb_populate_record(c, jsonb_build_object('id', 'chg_lapsed_' || n, 'expires_at', c.created_at,
        'created_at', c.created_at - interval '20 minutes')) AS r FROM charge c, generate_series(1, 60) n WHERE c.id = ${chargeId}) AS lapsed`;
    expect((await listApprovals(deps, { payerId: setup.payer.id })).map(({ id }) => id)).toEqual([chargeId]);
  });

  test("a 3-D Secure charge is listed with the URL of the authentication page, and needs no approval", async () => {
    const { pay } = bank.state;
    bank.state.pay = async () => atBank;
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    bank.state.pay = pay;
    const payerId = setup.payer.id;
    const expected = { id: chargeId, approvalState: null, bankUrl: atBank.actionUrl, expiresAt: expect.any(Date) };
    expect(await listApprovals(deps, { payerId })).toMatchObject([expected]);
    expect(await getApproval(deps, { payerId, chargeId })).toMatchObject(expected);
    deps.clock.advance(15 * 60);
    expect(await listApprovals(deps, { payerId })).toEqual([]);
    expect(await getApproval(deps, { payerId, chargeId })).toMatchObject({
      approvalState: null,
      bankUrl: null,
      expiresAt: null,
      hasLapsedAtBank: true,
    });
  });

  test("a 3-D Secure charge is still found after the payer has authenticated, and has no action left", async () => {
    const { pay, lookup } = bank.state;
    bank.state.pay = async () => atBank;
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "r" });
    deps.clock.advance(60);
    await reconcileDueCharges(deps, { limit: 100 });
    Object.assign(bank.state, { pay, lookup });
    expect(await getApproval(deps, { payerId: setup.payer.id, chargeId })).toMatchObject({
      state: "succeeded",
      approvalState: null,
      bankUrl: null,
      hasLapsedAtBank: false,
    });
  });

  test("show the payment method that was chosen at their creation, and whether it still exists, even if the mandate's method has changed", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    const { chargeId } = await setup.charge();
    const payerId = setup.payer.id;
    const other = { payerId, processor: "simulator", type: "card", createdAt: deps.clock.now() };
    const mastercard = { id: newId("pm"), processorRef: "pm_card_mastercard", label: "Mastercard ending in 4444" };
    await deps.db.prisma.paymentMethod.create({ data: { ...other, ...mastercard } });
    const mandate = { where: { id: setup.mandateId }, data: { paymentMethodId: mastercard.id } };
    await deps.db.prisma.mandate.update(mandate);
    const named = async () => (await getApproval(deps, { payerId, chargeId })).paymentMethod;
    const row = await deps.db.prisma.paymentMethod.findUniqueOrThrow({ where: { id: setup.payer.paymentMethodId } });
    expect(await named()).toEqual({ label: row.label, isRemoved: false });
    expect(row.label).not.toBe(mastercard.label);
    await deps.db.prisma.paymentMethod.update({ where: { id: row.id }, data: { removedAt: deps.clock.now() } });
    expect(await named()).toEqual({ label: row.label, isRemoved: true });
  });

  test("another payer's charge, a charge that needs no action and an unknown charge get the same answer", async () => {
    const [own, other] = [await makeChargeableMandate(deps), await makeChargeableMandate(deps, { step_up_above: 1 })];
    const ids = [(await own.charge()).chargeId, (await other.charge()).chargeId, newId("chg"), "chg_x"];
    for (const chargeId of ids) {
      const refusal = await refusalOf(getApproval(deps, { payerId: own.payer.id, chargeId }));
      expect(refusal.code).toBe("charge_not_found");
    }
    expect(await findChargePayer(deps, { chargeId: ids[1] ?? "" })).toBe(other.payer.id);
    expect(await findChargePayer(deps, { chargeId: "chg_x" })).toBeNull();
  });
});
