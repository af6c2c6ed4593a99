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
    // Not part of a charge: a process sends this statement from time to time, for all requests.
    if (name !== "signing_keys_version") sent.push(name ?? kind);
    return null;
  });
  await work().finally(stop);
  return sent;
};

const daily = (maxPayments: number) => ({
  periodic_limits: [{ period: "day", alignment: "calendar", max_payments: maxPayments } as const],
});

describe("statements of a charge (docs/spec/payments.md, Cost of a charge)", () => {
  const usual = ["find_decisions", "reserve_charge", "submit_charge", "settle_charge_alone"];
  const inTransaction = [
    "find_decisions",
    "reserve_charge",
    "submit_charge",
    "BEGIN",
    "settle_charge_with_first_events",
    "COMMIT",
  ];

  test("one statement reserves, one submits and one settles, without transactions", async () => {
    const setup = await makeChargeableMandate(deps, daily(10));
    expect(await statementsOf(() => setup.charge())).toEqual(usual);
    const { prisma } = deps.db;
    const [charge] = await prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    const events = await prisma.event.findMany({ where: { objectId: charge?.id ?? "" } });
    expect(events).toMatchObject([{ type: "charge.succeeded", sequence: 1, data: { id: charge?.id } }]);
    const entries = await prisma.$queryRaw`SELECT action FROM audit_entry WHERE subject_id = ${charge?.id}`;
    expect(entries).toEqual([{ action: "charge.succeeded" }]);
  });

  test.each([
    ["payments of a period", daily(5)],
    ["payments", { max_payments: 5 }],
    ["amount", { max_total_amount: 5_000 }],
    ["amount of a period", { periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 5_000 } as const] }],
  ])(
    "the charge that reaches 80%% of the %s is settled in a transaction, with the event of the limit",
    async (_, limits) => {
      const setup = await makeChargeableMandate(deps, limits);
      for (let count = 0; count < 3; count++) expect(await statementsOf(() => setup.charge())).toEqual(usual);
      const sent = await statementsOf(() => setup.charge());
      expect(sent.slice(0, 5)).toEqual(inTransaction.slice(0, 5));
      const near = () =>
        deps.db.prisma.event.count({ where: { objectId: setup.mandateId, type: "mandate.limit_approaching" } });
      expect(await near()).toBe(1);
      expect(await setup.counters()).toMatchObject({ usedCount: 4n, held: 0n, used: 4_000n });
    },
  );

  test("concurrent charges that together reach 80% of a limit report it once, and each payment is counted", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 50 });
    const answers = await Promise.all(Array.from({ length: 44 }, (_, index) => setup.charge({}, `k${index}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const type = "mandate.limit_approaching";
    expect(await deps.db.prisma.event.count({ where: { objectId: setup.mandateId, type } })).toBe(1);
    expect(await setup.counters()).toMatchObject({ usedCount: 44n, heldCount: 0n, held: 0n });
  });

  test("if the payer lowers a limit while a charge runs, the charge's settlement also handles the limit that is now reached", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 100 });
    bank.state.pay = async (request) => {
      await deps.db.prisma.mandate.update({
        where: { id: setup.mandateId },
        data: { maxPayments: 1, version: { increment: 1 } },
      });
      return scriptedProcessor().state.pay(request);
    };
    const sent = await statementsOf(() => setup.charge());
    bank.state.pay = scriptedProcessor().state.pay;
    expect(sent).toContain("settle_charge_alone");
    expect(sent).toContain("settle_charge_with_first_events");
    expect((await setup.counters()).state).toBe("consumed");
  });

  test("after an unknown outcome, the charge's next event continues its sequence", async () => {
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
  ])(
    "a reservation that would exceed a cap of %s writes nothing, even though it runs without a transaction",
    async (_, limits) => {
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
    },
  );
});
