import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";

let deps: TestDeps;
let bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({
    processors: { get: (name) => bank.processors.get(name) },
    now: new Date("2026-11-21T10:00:00Z"),
  });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

const recordedEventsOf = async (mandateId: string) =>
  (
    await deps.db.prisma.event.findMany({
      where: { objectId: mandateId, type: "mandate.limit_approaching" },
      orderBy: { sequence: "asc" },
    })
  ).map(({ data }) => data);

describe("mandate.limit_approaching (docs/spec/payments.md, Webhooks)", () => {
  test("is recorded with the capture that uses 80% of a cap, with cap, used amount and reset time", async () => {
    const setup = await makeChargeableMandate(deps, {
      max_total_amount: 5_000,
      periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 1_000, max_payments: 5 }],
    });
    await setup.charge({ amount: 799 });
    expect(await recordedEventsOf(setup.mandateId)).toEqual([]);
    await setup.charge({ amount: 1 });
    expect(await recordedEventsOf(setup.mandateId)).toEqual([
      {
        mandate_id: setup.mandateId,
        status: "active",
        version: 1,
        client_id: setup.agent.id,
        limits: [
          {
            constraint: "periodic_limits[month:calendar].max_amount",
            cap: 1_000,
            used: 800,
            resets_at: "2026-12-01T00:00:00.000Z",
          },
        ],
      },
    ]);
    await setup.charge({ amount: 1 });
    expect(await recordedEventsOf(setup.mandateId)).toHaveLength(1);
    await setup.charge({ amount: 1 });
    expect((await recordedEventsOf(setup.mandateId))[1]).toMatchObject({
      limits: [{ constraint: "periodic_limits[month:calendar].max_payments", cap: 5, used: 4 }],
    });
  });

  test("isn't recorded for held or declined amounts, or if the mandate is consumed", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    bank.state.pay = async () => ({ kind: "processing", processorRef: "r" });
    await setup.charge({ amount: 900 });
    const consumed = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    bank = scriptedProcessor();
    await consumed.charge({ amount: 1_000 });
    expect((await consumed.counters()).state).toBe("consumed");
    expect([await recordedEventsOf(setup.mandateId), await recordedEventsOf(consumed.mandateId)]).toEqual([[], []]);
  });

  test("forty concurrent charges report each cap once", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 5_000, max_payments: 45 });
    await Promise.all(Array.from({ length: 40 }, () => setup.charge({ amount: 100 })));
    const events = (await recordedEventsOf(setup.mandateId)) as { limits: { constraint: string; used: number }[] }[];
    expect(events.flatMap(({ limits }) => limits.map(({ constraint, used }) => [constraint, used]))).toEqual([
      ["max_payments", 36],
      ["max_total_amount", 4_000],
    ]);
  });
});
