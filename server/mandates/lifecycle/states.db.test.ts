import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { settleCharge } from "../../charges/charge/settle-charge.ts";
import { findCharge } from "../../data/charges/charges.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { narrowMandate } from "./narrow-mandate.ts";
import { resumeMandate } from "./resume-mandate.ts";
import { revokeMandate } from "./revoke-mandate.ts";
import { suspendMandate } from "./suspend-mandate.ts";
import { inTransaction, transitionMandate } from "./transition-mandate.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

const payerOf = ({ mandateId, payer }: Setup) => ({
  mandateId,
  actor: { kind: "payer", id: payer.id } as const,
  requestId: "r",
});
const operatorOf = ({ mandateId }: Setup) => ({
  mandateId,
  actor: { kind: "operator", id: "acc_operator" } as const,
  requestId: "r",
});
const expire = ({ mandateId }: Setup) =>
  inTransaction(deps, undefined, (sql) =>
    transitionMandate(deps, sql, {
      mandateId,
      actor: { kind: "system", id: "clock" },
      requestId: "r",
      event: "expire",
    }),
  );
const mandateOf = ({ mandateId }: Setup) => deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } });
const versionOf = ({ mandateId }: Setup) =>
  deps.db.prisma.mandateVersion.findFirstOrThrow({ where: { mandateId }, select: { revoked: true, suspended: true } });
const eventsOf = ({ mandateId }: Setup) =>
  deps.db.prisma.event.findMany({ where: { objectId: mandateId }, orderBy: { sequence: "asc" } });
const auditOf = ({ mandateId }: Setup) =>
  deps.db.prisma.$queryRaw<{ action: string; actorKind: string }[]>`
    SELECT action, actor_kind AS "actorKind" FROM audit_entry WHERE subject_id = ${mandateId} ORDER BY seq`;
/** Makes a charge that the processor has accepted but not decided yet, so its amount is held. */
const hold = async (setup: Setup, amount: number) => {
  bank.state.pay = async ({ chargeId }) => ({ kind: "processing", processorRef: `ref_${chargeId}` });
  const { chargeId } = await setup.charge({ amount });
  return async (outcome: "succeeded" | "declined") => {
    const charge = await findCharge(deps.db.sql, chargeId);
    if (!charge) throw new Error("the charge is kept");
    const declined = { kind: "declined", declineCode: "generic_decline", retryable: false, advice: "No." } as const;
    const result = outcome === "succeeded" ? ({ kind: "succeeded" } as const) : declined;
    await settleCharge(deps, charge, {
      event: { ...result, processorRef: "r" },
      by: { kind: "reconciler", requestId: "r" },
    });
  };
};

describe("expired (final), by time (docs/spec/payments.md, Mandate states)", () => {
  test("at valid_until and later, only expiry is possible, even for a paused mandate", async () => {
    const start = deps.clock.now();
    const until = new Date(start.getTime() + 60_000);
    const [active, paused] = [
      await makeChargeableMandate(deps, { valid_until: until.toISOString() }),
      await makeChargeableMandate(deps, { valid_until: until.toISOString() }),
    ];
    await suspendMandate(deps, payerOf(paused));
    deps.clock.set(new Date(until.getTime() - 1));
    expect((await refusalOf(expire(active))).code).toBe("mandate_active");
    expect((await refusalOf(expire(paused))).code).toBe("mandate_suspended");
    deps.clock.set(until);
    for (const attempt of [
      () => suspendMandate(deps, payerOf(active)),
      () => resumeMandate(deps, payerOf(paused)),
      () => narrowMandate(deps, { ...payerOf(active), narrowing: { max_payments: 1 } }),
      () => revokeMandate(deps, payerOf(active)),
      () => revokeMandate(deps, operatorOf(paused)),
    ]) {
      expect((await refusalOf(attempt())).code).toBe("mandate_expired");
    }
    expect([(await expire(active)).state, (await expire(paused)).state]).toEqual(["expired", "expired"]);
    expect((await refusalOf(expire(active))).code).toBe("mandate_expired");
    expect(await versionOf(active)).toEqual({ revoked: false, suspended: false });
    deps.clock.set(start);
  });
});

describe("consumed (final), once the used amount reaches a lifetime cap and nothing is held (docs/spec/payments.md, Mandate states)", () => {
  test("held amounts don't consume the mandate: payments are refused with total_limit_exceeded, and are allowed again after the release", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    const settle = await hold(setup, 1_000);
    expect(await setup.counters()).toMatchObject({ state: "active", held: 1_000n });
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["total_limit_exceeded"]);
    await settle("declined");
    expect(await setup.counters()).toMatchObject({ state: "active", held: 0n, used: 0n });
    bank = scriptedProcessor();
    expect((await setup.charge({ amount: 1_000 })).status).toBe(201);
    expect(await setup.counters()).toMatchObject({ state: "consumed", used: 1_000n });
  });

  test("the mandate is consumed when the last hold is settled, not while another charge is held", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 2, max_total_amount: 3_000 });
    const settleFirst = await hold(setup, 500);
    const settleSecond = await hold(setup, 500);
    await settleFirst("succeeded");
    expect(await setup.counters()).toMatchObject({ state: "active", usedCount: 1n, heldCount: 1n });
    await settleSecond("succeeded");
    expect(await setup.counters()).toMatchObject({ state: "consumed", usedCount: 2n, heldCount: 0n });

    const narrowed = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    bank = scriptedProcessor();
    await narrowed.charge({ amount: 1_000 });
    const [settleOne, settleOther] = [await hold(narrowed, 500), await hold(narrowed, 500)];
    await narrowMandate(deps, { ...payerOf(narrowed), narrowing: { max_total_amount: 900 } });
    expect((await narrowed.counters()).state).toBe("active");
    await settleOne("succeeded");
    expect(await narrowed.counters()).toMatchObject({ state: "active", used: 1_500n, held: 500n });
    await settleOther("declined");
    expect(await narrowed.counters()).toMatchObject({ state: "consumed", used: 1_500n, held: 0n });
  });

  test("a paused mandate is consumed too, when an earlier charge settles; consumption sets no status bit", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 1 });
    const settle = await hold(setup, 100);
    await settle("succeeded");
    expect((await mandateOf(setup)).state).toBe("consumed");
    expect(await versionOf(setup)).toEqual({ revoked: false, suspended: false });
    const paused = await makeChargeableMandate(deps, { max_payments: 1 });
    const settlePaused = await hold(paused, 100);
    await suspendMandate(deps, payerOf(paused));
    await settlePaused("succeeded");
    expect((await mandateOf(paused)).state).toBe("consumed");
    expect((await eventsOf(paused)).map(({ type }) => type)).toEqual([
      "mandate.activated",
      "mandate.suspended",
      "mandate.consumed",
    ]);
  });

  test("refunds never restore max_payments, even with refund_policy restore", async () => {
    const setup = await makeChargeableMandate(deps, {
      max_payments: 1,
      max_total_amount: 5_000,
      refund_policy: "restore",
    });
    await setup.charge({});
    expect((await setup.counters()).state).toBe("consumed");
  });
});

describe("a transition, its audit entry, its event and its status bits are written in one transaction (docs/spec/payments.md, Mandate states)", () => {
  const acts: [string, (setup: Setup, tx: Parameters<typeof revokeMandate>[1]["tx"]) => Promise<unknown>][] = [
    ["suspend", (setup, tx) => suspendMandate(deps, { ...payerOf(setup), ...(tx ? { tx } : {}) })],
    ["revoke", (setup, tx) => revokeMandate(deps, { ...payerOf(setup), ...(tx ? { tx } : {}) })],
  ];
  test.each(acts)("%s is atomic", async (_, act) => {
    const setup = await makeChargeableMandate(deps);
    const snapshot = async () => ({
      mandate: await mandateOf(setup),
      version: await versionOf(setup),
      events: await eventsOf(setup),
      audit: await auditOf(setup),
      published: await deps.db.prisma.statusChange.count(),
    });
    const before = await snapshot();
    const rolledBack = deps.db.transaction(async (tx) => {
      await act(setup, tx);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await snapshot()).toEqual(before);
    await act(setup, undefined);
    const after = await snapshot();
    expect(after.mandate.state).not.toBe("active");
    expect(after.version).not.toEqual(before.version);
    expect(after.events).toHaveLength(before.events.length + 1);
    expect(after.audit).toHaveLength(before.audit.length + 1);
    expect(after.published).toBe(before.published + 1);
  });

  test("concurrent actions of payer and operator leave consistent suspensions, status bits and events", async () => {
    const setup = await makeChargeableMandate(deps);
    const acts = Array.from({ length: 40 }, (_, index) => {
      const who = index % 2 === 0 ? payerOf(setup) : operatorOf(setup);
      return index % 3 === 0 ? resumeMandate(deps, who) : suspendMandate(deps, who);
    });
    const results = await Promise.allSettled(acts);
    expect(results.filter((result) => result.status === "rejected" && !isDomainError(result.reason))).toEqual([]);
    const { state, suspendedBy } = await mandateOf(setup);
    expect(state).toBe(suspendedBy.length > 0 ? "suspended" : "active");
    expect((await versionOf(setup)).suspended).toBe(state === "suspended");
    const set = new Set<string>();
    for (const { action, actorKind } of await auditOf(setup)) {
      if (action === "mandate.suspended") set.add(actorKind);
      if (action === "mandate.resumed") set.delete(actorKind);
    }
    expect([...set].sort()).toEqual(suspendedBy);
    const events = await eventsOf(setup);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.type).toBe(
      state === "suspended" ? "mandate.suspended" : events.length > 1 ? "mandate.resumed" : "mandate.activated",
    );
  });
});
