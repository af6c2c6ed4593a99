import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findCharge } from "../../data/charges/charges.ts";
import { watchStatements } from "../../data/watch-statements.ts";
import { requestCharge } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "./charge-setup.fixture.ts";
import { settleCharge } from "./settle-charge.ts";

const bank = scriptedProcessor();
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());

const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const sent: string[] = [];
  const stop = watchStatements(({ kind, name }) => {
    sent.push(name ?? kind);
    return null;
  });
  await work().finally(stop);
  return sent;
};

const daily = (maxPayments: number) => ({
  periodic_limits: [{ period: "day", alignment: "calendar", max_payments: maxPayments } as const],
});

describe("statements of a charge (docs/spec/payments.md, Cost of a charge)", () => {
  test("one statement reserves, one submits, and one settles in a transaction", async () => {
    const setup = await makeChargeableMandate(deps, daily(10));
    expect(await statementsOf(() => setup.charge())).toEqual([
      "find_decisions",
      "reserve_charge",
      "submit_charge",
      "BEGIN",
      "settle_charge_with_first_events",
      "COMMIT",
    ]);
    const { prisma } = deps.db;
    const [charge] = await prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    const events = await prisma.event.findMany({ where: { objectId: charge?.id ?? "" } });
    expect(events).toMatchObject([{ type: "charge.succeeded", sequence: 1, data: { id: charge?.id } }]);
    const entries = await prisma.$queryRaw`SELECT action FROM audit_entry WHERE subject_id = ${charge?.id}`;
    expect(entries).toEqual([{ action: "charge.succeeded" }]);
  });

  test("the events of a charge whose outcome was unknown continue its sequence", async () => {
    const setup = await makeChargeableMandate(deps);
    bank.state.pay = async () => ({ kind: "unknown" });
    const { chargeId } = await setup.charge({}, "unclear");
    bank.state.pay = scriptedProcessor().state.pay;
    const charges = await deps.db.prisma.charge.findMany({ where: { id: chargeId } });
    expect(charges).toMatchObject([{ state: "unknown" }]);
    const charge = await findCharge(deps.db.sql, chargeId);
    if (!charge) throw new Error("the charge is missing");
    // The charge request still has the row that it read before the outcome became unknown.
    const sent = { ...charge, state: "submitted" } as const;
    const by = { kind: "charge", requestId: "r" } as const;
    const event = { kind: "succeeded", processorRef: "ref" } as const;
    expect((await settleCharge(deps, sent, { event, by })).state).toBe("succeeded");
    const events = await deps.db.prisma.event.findMany({ where: { objectId: chargeId }, orderBy: { sequence: "asc" } });
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ["charge.unknown", 1],
      ["charge.succeeded", 2],
    ]);
    const entries = await deps.db.prisma
      .$queryRaw`SELECT action FROM audit_entry WHERE subject_id = ${chargeId} ORDER BY seq`;
    expect(entries).toEqual([{ action: "charge.unknown" }, { action: "charge.succeeded" }]);
  });

  test.each([
    ["a period", daily(1)],
    ["the mandate", { max_payments: 1 }],
  ])("a reservation above a cap of %s has no effect, although it runs without a transaction", async (_, limits) => {
    const setup = await makeChargeableMandate(deps, limits);
    let isFirst = true;
    const inSharedTurn: typeof deps.db.inSharedTurn = async (key, work, how) => {
      // The other charge takes the budget after this charge was decided.
      if (isFirst) {
        isFirst = false;
        await setup.charge({}, "first");
      }
      return deps.db.inSharedTurn(key, work, how);
    };
    const slow: TestDeps = { ...deps, db: { ...deps.db, inSharedTurn } };
    const refused = refusalOf(
      requestCharge(slow, {
        merchantId: setup.merchant.id,
        clientId: setup.merchantClient.id,
        requestId: "r",
        idempotencyKey: "second",
        request: { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
      }),
    );
    const sent = await statementsOf(async () => expect((await refused).code).not.toBe(""));
    expect(sent).toContain("reserve_charge");
    expect(sent).not.toContain("ROLLBACK");
    expect(await setup.counters()).toMatchObject({ used: 1_000n, usedCount: 1n, held: 0n, heldCount: 0n });
    const { merchant, mandateId } = setup;
    const keys = await deps.db.prisma.$queryRaw`SELECT key FROM idempotency_key WHERE merchant_id = ${merchant.id}`;
    expect(keys).toEqual([{ key: "first" }]);
    expect(await deps.db.prisma.charge.count({ where: { mandateId } })).toBe(1);
  });
});
