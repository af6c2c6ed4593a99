import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { settleCharge } from "../../charges/charge/settle-charge.ts";
import { findCharge } from "../../data/charges/charges.ts";
import { getPayerMandate } from "../find-mandates.ts";
import { narrowMandate } from "./narrow-mandate.ts";
import { suspendMandate } from "./suspend-mandate.ts";

let deps: TestDeps;
let bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

const actor = (kind: "payer", id: string) => ({ kind, id }) as const;
const by = ({ mandateId, payer }: Awaited<ReturnType<typeof makeChargeableMandate>>) => ({
  mandateId,
  actor: actor("payer", payer.id),
  requestId: "r",
});
const versions = (mandateId: string) =>
  deps.db.prisma.mandateVersion.findMany({
    where: { mandateId },
    orderBy: { version: "asc" },
    select: { version: true, revoked: true, suspended: true },
  });
const eventTypes = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map((event) => [
    event.sequence,
    event.type,
  ]);

describe("the payer can narrow a live mandate, with immediate effect (docs/spec/payments.md, Narrowing and replacing a mandate)", () => {
  test("creates version + 1, revokes the old index, keeps the counters, and allows only the remaining amount", async () => {
    const setup = await makeChargeableMandate(deps, {
      max_total_amount: 3_000,
      periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 2_000 }],
    });
    await setup.charge({ amount: 1_500 });
    const narrowing = {
      max_total_amount: 2_000,
      periodic_limits: [{ period: "day" as const, alignment: "calendar" as const, max_amount: 600 }],
    };
    const act = { mandateId: setup.mandateId, actor: actor("payer", setup.payer.id), requestId: "r" };
    expect(await narrowMandate(deps, { ...act, narrowing })).toEqual({ version: 2 });
    expect(await versions(setup.mandateId)).toEqual([
      { version: 1, revoked: true, suspended: false },
      { version: 2, revoked: false, suspended: false },
    ]);
    const view = await getPayerMandate(deps, { payerId: setup.payer.id, mandateId: setup.mandateId });
    expect(view.limits).toMatchObject([
      { key: "per_payment", capMinor: 5_000n },
      { key: "day:calendar", capMinor: 600n, usedMinor: 1_500n, leftMinor: 0n },
      { key: "total", capMinor: 2_000n, usedMinor: 1_500n, heldMinor: 0n, leftMinor: 500n },
    ]);
    expect((await refusalOf(setup.charge({ amount: 501 }))).reasons).toEqual([
      "period_limit_exceeded",
      "total_limit_exceeded",
    ]);
    expect(await eventTypes(setup.mandateId)).toEqual([
      [1, "mandate.activated"],
      [2, "mandate.updated"],
    ]);
  });

  test("an amount above which the payer is asked takes effect immediately", async () => {
    const setup = await makeChargeableMandate(deps);
    await narrowMandate(deps, { ...by(setup), narrowing: { step_up_above: 400 } });
    expect((await setup.charge({ amount: 401 })).status).toBe(202);
    expect((await setup.charge({ amount: 400 })).status).toBe(201);
  });

  test("refuses to raise a cap again, even to its first value, and changes nothing", async () => {
    const { mandateId, payer } = await makeChargeableMandate(deps);
    const act = { mandateId, actor: actor("payer", payer.id), requestId: "r" };
    await narrowMandate(deps, { ...act, narrowing: { max_amount_per_payment: 100 } });
    expect(
      (await refusalOf(narrowMandate(deps, { ...act, narrowing: { max_amount_per_payment: 5_000 } }))).pointers,
    ).toEqual(["/max_amount_per_payment"]);
    expect(await versions(mandateId)).toHaveLength(2);
  });

  test("a limit on a period that was not counted before counts the spent and held amounts since the period's start", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge({ amount: 700 });
    bank.state.pay = async () => ({ kind: "unknown" });
    await setup.charge({ amount: 200 });
    const limit = { period: "day", alignment: "calendar", max_amount: 1_000 } as const;
    await narrowMandate(deps, { ...by(setup), narrowing: { periodic_limits: [limit] } });
    expect((await setup.counters()).periods).toMatchObject([
      { limitKey: "day:calendar", usedAmount: 700n, usedCount: 1n, heldAmount: 200n, heldCount: 1n },
    ]);
    expect((await refusalOf(setup.charge({ amount: 101 }))).reasons).toEqual(["period_limit_exceeded"]);
    expect((await setup.charge({ amount: 100 })).status).toBe(202);
    // Narrowed again: nothing is counted twice.
    await narrowMandate(deps, { ...by(setup), narrowing: { periodic_limits: [{ ...limit, max_amount: 999 }] } });
    expect((await setup.counters()).periods).toMatchObject([{ usedAmount: 700n, heldAmount: 300n, heldCount: 2n }]);
  });

  test("a new end must be in the future", async () => {
    const setup = await makeChargeableMandate(deps);
    const attempt = narrowMandate(deps, {
      ...by(setup),
      narrowing: { valid_until: deps.clock.now().toISOString() },
    });
    expect((await refusalOf(attempt)).pointers).toEqual(["/valid_until"]);
    expect(await versions(setup.mandateId)).toHaveLength(1);
  });

  test("a cap may be lowered below used + held: no further payment is allowed, holds can be captured, and the remainder is 0", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    await setup.charge({ amount: 1_000 });
    bank.state.pay = async ({ chargeId }) => ({ kind: "processing", processorRef: `ref_${chargeId}` });
    const held = await setup.charge({ amount: 1_500 });
    await narrowMandate(deps, { ...by(setup), narrowing: { max_total_amount: 500, max_amount_per_payment: 10 } });
    const total = async () =>
      (await getPayerMandate(deps, { payerId: setup.payer.id, mandateId: setup.mandateId })).limits.find(
        ({ key }) => key === "total",
      );
    expect(await total()).toMatchObject({ capMinor: 500n, usedMinor: 1_000n, heldMinor: 1_500n, leftMinor: 0n });
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["total_limit_exceeded"]);
    const charge = await findCharge(deps.db.sql, held.chargeId);
    if (!charge) throw new Error("the charge is kept");
    await settleCharge(deps, charge, {
      event: { kind: "succeeded", processorRef: "r" },
      by: { kind: "reconciler", requestId: "r" },
    });
    expect(await setup.counters()).toMatchObject({ used: 2_500n, held: 0n, usedCount: 2n, heldCount: 0n });
    expect(await total()).toMatchObject({ usedMinor: 2_500n, heldMinor: 0n, leftMinor: 0n });
  });

  test.each([
    ["max_total_amount", { max_total_amount: 1_000 }],
    ["max_total_amount exactly", { max_total_amount: 1_500 }],
    ["max_payments", { max_payments: 2 }],
  ])(
    "if captured payments have used up a lowered cap (%s) and nothing is held, the mandate is consumed immediately, and its grant ends",
    async (_, narrowing) => {
      const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000, max_payments: 9 });
      for (const amount of [700, 800]) await setup.charge({ amount });
      expect(await narrowMandate(deps, { ...by(setup), narrowing })).toEqual({ version: 2 });
      expect((await setup.counters()).state).toBe("consumed");
      expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["mandate_consumed"]);
      expect((await eventTypes(setup.mandateId)).slice(-2)).toEqual([
        [expect.any(Number), "mandate.updated"],
        [expect.any(Number), "mandate.consumed"],
      ]);
      // Consumption sets no status bit.
      expect((await versions(setup.mandateId))[1]).toEqual({ version: 2, revoked: false, suspended: false });
      const { grant } = await deps.db.prisma.mandate.findUniqueOrThrow({
        where: { id: setup.mandateId },
        select: { grant: { select: { endedAt: true } } },
      });
      expect(grant.endedAt).not.toBeNull();
    },
  );

  test("an amount cap doesn't consume the mandate while refund_policy is restore: payments are refused with total_limit_exceeded", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000, refund_policy: "restore" });
    await setup.charge({ amount: 1_500 });
    await narrowMandate(deps, { ...by(setup), narrowing: { max_total_amount: 1_000 } });
    expect((await setup.counters()).state).toBe("active");
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["total_limit_exceeded"]);
  });

  test("a mandate whose cap is below the used amount stays active while an amount is held, and is consumed when the hold is released", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    await setup.charge({ amount: 1_000 });
    bank.state.pay = async ({ chargeId }) => ({ kind: "processing", processorRef: `ref_${chargeId}` });
    const held = await setup.charge({ amount: 500 });
    await narrowMandate(deps, { ...by(setup), narrowing: { max_total_amount: 900 } });
    expect((await setup.counters()).state).toBe("active");
    const charge = await findCharge(deps.db.sql, held.chargeId);
    if (!charge) throw new Error("the charge is kept");
    const declined = { kind: "declined", declineCode: "generic_decline", retryable: false, advice: "No." } as const;
    await settleCharge(deps, charge, {
      event: { ...declined, processorRef: "r" },
      by: { kind: "reconciler", requestId: "r" },
    });
    expect(await setup.counters()).toMatchObject({ state: "consumed", used: 1_000n, held: 0n });
  });

  test("the new version, its credential and the old index's revocation bit are written in one transaction", async () => {
    const setup = await makeChargeableMandate(deps);
    const publications = () => deps.db.prisma.statusChange.count();
    const before = { changes: await publications(), events: await eventTypes(setup.mandateId) };
    const rolledBack = deps.db.transaction(async (tx) => {
      await narrowMandate(deps, { ...by(setup), narrowing: { max_payments: 3 }, tx });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await versions(setup.mandateId)).toEqual([{ version: 1, revoked: false, suspended: false }]);
    expect({ changes: await publications(), events: await eventTypes(setup.mandateId) }).toEqual(before);
    const mandate = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: setup.mandateId } });
    expect(mandate).toMatchObject({ version: 1, maxPayments: null });
    const audited = await deps.db.prisma.$queryRaw`SELECT 1 FROM audit_entry WHERE subject_id = ${setup.mandateId}`;
    expect(audited).toHaveLength(1);
  });

  test("ten concurrent changes create a version each, and set the revocation bit of every version except the last", async () => {
    const setup = await makeChargeableMandate(deps);
    const narrowings = Array.from({ length: 10 }, () =>
      narrowMandate(deps, { ...by(setup), narrowing: { max_payments: 100 } }),
    );
    const given = (await Promise.all(narrowings)).map(({ version }) => version);
    expect(new Set(given).size).toBe(10);
    const written = await versions(setup.mandateId);
    expect(written.map(({ version }) => version)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
    expect(written.map(({ revoked }) => revoked)).toEqual([...Array.from({ length: 10 }, () => true), false]);
  });

  test("each concurrent charge is within the caps of the version that it used", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 5_000 });
    const results = await Promise.allSettled([
      ...Array.from({ length: 30 }, () => setup.charge({ amount: 100 })),
      narrowMandate(deps, { ...by(setup), narrowing: { max_total_amount: 1_000 } }),
      ...Array.from({ length: 30 }, () => setup.charge({ amount: 100 })),
    ]);
    expect(results[30]?.status).toBe("fulfilled");
    const charges = await deps.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    const before = charges.filter(({ mandateVersion }) => mandateVersion === 1).length;
    const after = charges.length - before;
    expect(after === 0 || before + after <= 10).toBe(true);
    expect(before).toBeLessThanOrEqual(50);
    expect((await setup.counters()).used).toBe(BigInt(charges.length) * 100n);
  });

  test("a paused mandate stays paused in the new version", async () => {
    const { mandateId, payer } = await makeChargeableMandate(deps);
    const act = { mandateId, actor: actor("payer", payer.id), requestId: "r" };
    await suspendMandate(deps, act);
    await narrowMandate(deps, { ...act, narrowing: { max_payments: 3 } });
    expect((await versions(mandateId))[1]).toEqual({ version: 2, revoked: false, suspended: true });
  });
});
