import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import type { LookupOutcome, PaymentRequest } from "../../deps/processor-port.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { reconcileDueCharges } from "./reconcile-due-charges.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let paid: PaymentRequest[];
let searches: number;

beforeEach(async () => {
  bank = scriptedProcessor();
  bank.state.capabilities = { ...bank.state.capabilities, lookupByKey: false };
  deps = await createTestDeps({ processors: bank.processors });
  paid = [];
  searches = 0;
  bank.state.pay = async (request) => {
    paid.push(request);
    return { kind: "unknown" };
  };
  bank.state.lookup = async () => {
    searches += 1;
    return { kind: "not_found" };
  };
});
afterEach(() => deps.close());

const reconcileAfter = async (seconds: number) => {
  deps.clock.advance(seconds);
  return reconcileDueCharges(deps, { limit: 100 });
};
const theCharge = () => deps.db.prisma.charge.findFirstOrThrow();
const reviewEntries = () => deps.db.prisma.$queryRaw`SELECT 1 FROM audit_entry WHERE action = 'charge.review_needed'`;

describe("a processor without lookup_by_key (docs/spec/payments.md, Reconciliation)", () => {
  test("gets the identical request with the same key after 5, 10, 20, 40 s, until it answers", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    await setup.charge({ metadata: { order: "1" } });
    for (const seconds of [5, 10, 20, 40]) {
      expect(await reconcileAfter(seconds - 1)).toBe(0);
      expect(await reconcileAfter(1)).toBe(1);
    }
    expect(paid).toHaveLength(5);
    for (const request of paid) expect(request).toEqual(paid[0]);
    bank.state.pay = async () => ({ kind: "succeeded", processorRef: "pi_1" });
    await reconcileAfter(80);
    expect(await theCharge()).toMatchObject({ state: "succeeded", processorRef: "pi_1" });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
    expect(searches).toBe(0);
  });

  test("may refuse the connection for the repeat; the outcome of the first request then remains unknown", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    bank.state.pay = async () => ({ kind: "not_sent" });
    await reconcileAfter(5);
    expect(await theCharge()).toMatchObject({ state: "unknown" });
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
  });

  test("gets repeats until 23 h after the first submission", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    await reconcileAfter(23 * 3600 - 1);
    expect([paid.length, searches]).toEqual([2, 0]);
  });

  test.each<[string, (setup: Awaited<ReturnType<typeof makeChargeableMandate>>) => Promise<unknown>, number]>([
    [
      "once the mandate is revoked",
      (setup) =>
        revokeMandate(deps, {
          mandateId: setup.mandateId,
          actor: { kind: "payer", id: setup.payer.id },
          requestId: "r",
        }),
      3600,
    ],
    ["23 h after the first submission", async () => undefined, 23 * 3600],
  ])(
    "gets no repeat %s: the payment is searched for by our metadata, and if it isn't found, the charge is put under review and keeps its hold",
    async (_, happen, seconds) => {
      const setup = await makeChargeableMandate(deps);
      await setup.charge();
      await happen(setup);
      await reconcileAfter(seconds);
      expect([paid.length, searches]).toEqual([1, 1]);
      expect(await theCharge()).toMatchObject({ state: "unknown", nextLookupAt: null });
      expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
      expect(await reviewEntries()).toHaveLength(1);
      expect(await reconcileAfter(365 * 24 * 3600)).toBe(0);
      expect(await reviewEntries()).toHaveLength(1);
    },
  );

  test("within the first hour, a payment that a search doesn't find is searched for again", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    const actor = { kind: "payer", id: setup.payer.id } as const;
    await revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
    await reconcileAfter(5);
    await reconcileAfter(10);
    expect([paid.length, searches]).toEqual([1, 2]);
    expect(await reviewEntries()).toHaveLength(0);
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi_9" });
    await reconcileAfter(20);
    expect(await theCharge()).toMatchObject({ state: "succeeded", processorRef: "pi_9" });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
  });

  test("a search that finds the payment settles the charge, and a failed search is repeated", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    bank.state.lookup = async () => ({ kind: "unknown" });
    await reconcileAfter(23 * 3600);
    expect(await theCharge()).toMatchObject({ state: "unknown", lookups: 1 });
    bank.state.lookup = async (request) => {
      expect(request).toMatchObject({ chargeId, reference: null });
      return { kind: "succeeded", processorRef: "pi_2" };
    };
    await reconcileAfter(10);
    expect(await theCharge()).toMatchObject({ state: "succeeded", processorRef: "pi_2" });
    expect(paid).toHaveLength(1);
  });

  test("if the processor no longer answers, the charge is under review after a week and keeps its hold", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    bank.state.lookup = async () => ({ kind: "unknown" });
    // If only one look-up was made in a week and got no answer, this doesn't prove that the processor was silent all
    // week.
    await reconcileAfter(8 * 24 * 3600);
    for (let look = 0; look < 19; look += 1) await reconcileAfter(3600);
    expect((await theCharge()).nextLookupAt).not.toBeNull();
    await reconcileAfter(3600);
    expect(await theCharge()).toMatchObject({ state: "unknown", nextLookupAt: null });
    expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
    expect(await reviewEntries()).toHaveLength(1);
  });

  test("if the processor gives no answer about a payment that the payer had to confirm, it is looked up until its look-ups end, and the charge is then put under review", async () => {
    bank.state.pay = async () => ({
      kind: "requires_action",
      processorRef: "pi_5",
      actionUrl: "https://bank.example/3ds",
    });
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    bank.state.lookup = async () => ({ kind: "unknown" });
    bank.state.void = async () => ({ kind: "unknown" });
    for (let hours = 0; hours < 8 * 24; hours += 1) await reconcileAfter(3600);
    expect(await theCharge()).toMatchObject({ state: "unknown", nextLookupAt: null, pendingAct: null });
    expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
    expect(await reviewEntries()).toHaveLength(1);
  });

  test("if the processor no longer knows a payment in processing, the charge is put under review once, keeps its hold, and isn't looked up again", async () => {
    bank.state.pay = async () => ({ kind: "processing", processorRef: "pi_3" });
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    for (const seconds of [5, 10, 3600]) await reconcileAfter(seconds);
    expect(await theCharge()).toMatchObject({ state: "unknown", nextLookupAt: null, processorRef: "pi_3" });
    expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
    expect([await reviewEntries(), searches]).toMatchObject([{ length: 1 }, 3]);
    expect(await reconcileAfter(365 * 24 * 3600)).toBe(0);
  });

  test.each<LookupOutcome>([{ kind: "not_found" }, { kind: "mismatch", processorRef: "pi_4", amountMinor: 1_200n }])(
    "if the processor can't void a payment that the payer had to confirm, and answers $kind, the charge is put under review in the end and keeps its hold",
    async (found) => {
      bank.state.lookup = async () => found;
      bank.state.pay = async () => ({
        kind: "requires_action",
        processorRef: "pi_4",
        actionUrl: "https://bank.example/3ds",
      });
      bank.state.void = async () => ({ kind: "refused", code: "resource_missing" });
      const setup = await makeChargeableMandate(deps);
      const { chargeId } = await setup.charge({}, "k");
      // First the look-ups until the 15 minutes are over, then the look-ups of a submitted charge in its first hour.
      for (let seconds = 5; seconds < 4 * 3600; seconds *= 2) await reconcileAfter(seconds);
      expect(await theCharge()).toMatchObject({ id: chargeId, state: "unknown", nextLookupAt: null, pendingAct: null });
      expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
      expect(await reviewEntries()).toHaveLength(1);
      expect(await reconcileAfter(365 * 24 * 3600)).toBe(0);
      expect(await setup.charge({}, "k")).toMatchObject({ status: 202, isRepeat: true });
      expect(await findViolations(deps.db.sql)).toEqual([]);
    },
  );

  test("looks up a payment by its reference if the reference is known", async () => {
    bank.state.pay = async () => ({ kind: "processing", processorRef: "pi_3" });
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    bank.state.lookup = async (request) => {
      expect(request.reference).toBe("pi_3");
      return { kind: "succeeded", processorRef: "pi_3" };
    };
    await reconcileAfter(5);
    expect(await theCharge()).toMatchObject({ state: "succeeded" });
  });
});
