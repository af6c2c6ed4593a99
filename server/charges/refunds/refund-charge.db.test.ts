import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { type AmountOperationRequest, UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { type RefundAnswer, requestCapture, requestRefund } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { listRefunds } from "./list-refunds.ts";
import { reconcileDueRefunds } from "./perform-refund.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let relay: ReturnType<typeof scriptedProcessor>["processors"];
/** The amounts that the processor really refunded, by key. */
let given: Map<string, bigint>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => relay.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
  relay = bank.processors;
  given = new Map();
  bank.state.refund = async ({ key, amountMinor }: AmountOperationRequest) => {
    given.set(key, amountMinor);
    return { kind: "succeeded", refundRef: `ref_${key}` };
  };
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);
const limits = {
  max_total_amount: 1_000,
  periodic_limits: [{ period: "month" as const, alignment: "calendar" as const, max_amount: 1_000 }],
};
const act = (setup: Setup, chargeId: string, idempotencyKey: string = newId("req")) => ({
  merchantId: setup.merchant.id,
  clientId: setup.merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey,
});
const refund = (setup: Setup, chargeId: string, { amount, key }: { amount?: number; key?: string } = {}) =>
  requestRefund(deps, { ...act(setup, chargeId, key), request: amount === undefined ? {} : { amount } });
const chargeOf = (id: string) => deps.db.prisma.charge.findFirstOrThrow({ where: { id } });
const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);
const settled = async (attempts: Promise<RefundAnswer>[]) => {
  const results = await Promise.allSettled(attempts);
  const faults = results.flatMap((result) =>
    result.status === "rejected" && !isDomainError(result.reason) ? [String(result.reason)] : [],
  );
  expect(faults).toEqual([]);
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
};
const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);

describe("POST /merchant_test/charges/{id}/refunds (docs/spec/payments.md, Refunds)", () => {
  test("refunds a partial amount and then, by default, the rest: the charge is partially_refunded, then refunded", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const part = bodyOf(await refund(setup, chargeId, { amount: 300 }));
    expect(part).toEqual({
      id: expect.stringMatching(/^rfd_/),
      charge_id: chargeId,
      amount: 300,
      status: "succeeded",
      reason: null,
      metadata: {},
      created_at: deps.clock.now().toISOString(),
    });
    expect(await chargeOf(chargeId)).toMatchObject({ state: "partially_refunded", amountRefunded: 300n });
    expect(bodyOf(await refund(setup, chargeId))).toMatchObject({ amount: 700, status: "succeeded" });
    expect(await chargeOf(chargeId)).toMatchObject({ state: "refunded", amountRefunded: 1_000n, amountRefunding: 0n });
    expect(await refusalOf(refund(setup, chargeId))).toMatchObject({
      kind: "unprocessable",
      code: "exceeds_captured",
      pointers: ["/amount"],
    });
    expect(await eventsOf(String(part["id"]))).toEqual(["refund.succeeded"]);
    expect(sum(given.values())).toBe(1_000n);
  });

  test("the largest possible amount is charged, refunded and restored exactly", async () => {
    const [amount, minor] = [99_999_999_999, 99_999_999_999n];
    const setup = await makeChargeableMandate(deps, {
      max_amount_per_payment: amount,
      max_total_amount: amount,
      refund_policy: "restore",
      periodic_limits: [{ period: "month", alignment: "calendar", max_amount: amount }],
    });
    const { chargeId } = await setup.charge({ amount });
    expect(await setup.counters()).toMatchObject({ used: minor, periods: [{ usedAmount: minor }] });
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toContain("total_limit_exceeded");
    expect(bodyOf(await refund(setup, chargeId))).toMatchObject({ amount, status: "succeeded" });
    expect(await chargeOf(chargeId)).toMatchObject({ amountCaptured: minor, amountRefunded: minor });
    expect(await setup.counters()).toMatchObject({ used: 0n, periods: [{ usedAmount: 0n }] });
  });

  test("a refund above the captured amount gets 422, even before the charge is captured and after a partial capture", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({ amount: 900, capture_method: "manual" });
    expect(await refusalOf(refund(setup, chargeId, { amount: 1 }))).toMatchObject({
      kind: "unprocessable",
      code: "exceeds_captured",
    });
    await requestCapture(deps, { ...act(setup, chargeId), request: { amount: 400 } });
    expect((await refusalOf(refund(setup, chargeId, { amount: 401 }))).code).toBe("exceeds_captured");
    expect(bodyOf(await refund(setup, chargeId))).toMatchObject({ amount: 400 });
    expect(given.size).toBe(1);
  });

  test("another merchant's charge is not found; a refund is refused if the processor doesn't support refunds", async () => {
    const [setup, other] = await Promise.all([makeChargeableMandate(deps), makeChargeableMandate(deps)]);
    const { chargeId } = await setup.charge({});
    expect((await refusalOf(refund(other, chargeId))).code).toBe("charge_not_found");
    const page = { chargeId, limit: 10, startingAfter: null, endingBefore: null };
    expect((await refusalOf(listRefunds(deps, { merchantId: other.merchant.id, ...page }))).kind).toBe("not_found");
    bank.state.capabilities = { ...bank.state.capabilities, refund: false };
    expect((await refusalOf(refund(setup, chargeId))).code).toBe("charge_not_refundable");
  });

  test("if the process has no access to the processor, the response is 503, and no money moves", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    relay = {
      get: (name) => {
        throw new UnconfiguredProcessor(name);
      },
    };
    expect(await refusalOf(refund(setup, chargeId, { amount: 100, key: "k" }))).toMatchObject({
      kind: "unavailable",
      code: "processor_unavailable",
    });
    relay = bank.processors;
    expect(bodyOf(await refund(setup, chargeId, { amount: 100, key: "k" }))).toMatchObject({ status: "succeeded" });
  });

  test("GET lists refunds in pages, newest first", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const made: unknown[] = [];
    for (const amount of [1, 2, 3]) {
      deps.clock.advance(1);
      made.unshift(bodyOf(await refund(setup, chargeId, { amount })));
    }
    const list = (startingAfter: string | null) =>
      listRefunds(deps, { merchantId: setup.merchant.id, chargeId, limit: 2, startingAfter, endingBefore: null });
    const first = await list(null);
    expect(first).toEqual({ data: made.slice(0, 2), has_more: true });
    expect(await list(String(first.data[1]?.["id"]))).toEqual({ data: made.slice(2), has_more: false });
    expect((await refusalOf(list(newId("rfd")))).pointers).toEqual(["#starting_after"]);
  });
});

describe("refund_policy (docs/spec/payments.md, Refunds)", () => {
  test("with refund_policy consume, a refunded amount still counts as used", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, max_total_amount: 2_000 });
    const { chargeId } = await setup.charge({});
    await refund(setup, chargeId);
    expect(await setup.counters()).toMatchObject({ used: 1_000n, usedCount: 1n });
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["period_limit_exceeded"]);
  });

  test("with refund_policy restore, a refund restores the amount in the lifetime caps and in the charge's period, but never a count", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, max_payments: 3, refund_policy: "restore" });
    const { chargeId } = await setup.charge({});
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toContain("total_limit_exceeded");
    await refund(setup, chargeId, { amount: 600 });
    const counters = await setup.counters();
    expect(counters).toMatchObject({ used: 400n, usedCount: 1n, state: "active" });
    expect(counters.periods).toMatchObject([{ usedAmount: 400n, usedCount: 1n }]);
    expect((await setup.charge({ amount: 600 })).status).toBe(201);
  });

  test("with refund_policy restore, the amount is restored in the period of the charge, not in the period of the refund", async () => {
    const setup = await makeChargeableMandate(deps, {
      max_total_amount: 5_000,
      refund_policy: "restore" as const,
      periodic_limits: [{ period: "day" as const, alignment: "calendar" as const, max_amount: 1_000 }],
    });
    const { chargeId } = await setup.charge({});
    deps.clock.advance(24 * 3600);
    await setup.charge({ amount: 1_000 });
    await refund(setup, chargeId);
    const { periods } = await setup.counters();
    const used = periods
      .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
      .map(({ usedAmount }) => usedAmount);
    expect(used).toEqual([0n, 1_000n]);
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["period_limit_exceeded"]);
  });

  test("only a refund that succeeded restores the caps", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, refund_policy: "restore" });
    const { chargeId } = await setup.charge({});
    bank.state.refund = async () => ({ kind: "failed", refundRef: "r", code: "expired_or_canceled_card" });
    const answer = bodyOf(await refund(setup, chargeId, { amount: 500 }));
    expect(answer).toMatchObject({ status: "failed", amount: 500 });
    expect(await setup.counters()).toMatchObject({ used: 1_000n });
    expect(await chargeOf(chargeId)).toMatchObject({ state: "succeeded", amountRefunded: 0n, amountRefunding: 0n });
    expect(await eventsOf(String(answer["id"]))).toEqual(["refund.failed"]);
  });
});

describe("Idempotency-Key of refunds", () => {
  test("a repeat gets the first answer byte for byte, another body gets 422, and nothing moves twice", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const first = await refund(setup, chargeId, { amount: 100, key: "k" });
    expect(await refund(setup, chargeId, { amount: 100, key: "k" })).toEqual({ ...first, isRepeat: true });
    expect(await refusalOf(refund(setup, chargeId, { amount: 101, key: "k" }))).toMatchObject({
      kind: "unprocessable",
    });
    expect(sum(given.values())).toBe(100n);
  });

  test("a pending refund counts until its outcome is known; repeats return the current state, and later the final state", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, refund_policy: "restore" });
    const { chargeId } = await setup.charge({});
    bank.state.refund = async () => ({ kind: "pending", refundRef: "r" });
    bank.state.findRefund = async () => ({ kind: "pending", refundRef: "r" });
    expect(bodyOf(await refund(setup, chargeId, { amount: 800, key: "k" }))).toMatchObject({
      status: "pending",
      amount: 800,
    });
    expect((await refusalOf(refund(setup, chargeId, { amount: 201 }))).code).toBe("exceeds_captured");
    expect(bodyOf(await refund(setup, chargeId, { amount: 800, key: "k" }))["status"]).toBe("pending");
    expect(await setup.counters()).toMatchObject({ used: 1_000n });
    bank.state.findRefund = async () => ({ kind: "succeeded", refundRef: "r" });
    deps.clock.advance(60);
    await reconcileDueRefunds(deps, { limit: 50 });
    expect(bodyOf(await refund(setup, chargeId, { amount: 800, key: "k" }))).toMatchObject({ status: "succeeded" });
    expect(await setup.counters()).toMatchObject({ used: 200n });
  });

  test("a refund with an unknown outcome is pending; the identical request is repeated until the outcome is known", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const keys: string[] = [];
    bank.state.refund = async ({ key }) => {
      keys.push(key);
      return keys.length === 1 ? { kind: "unknown" } : { kind: "succeeded", refundRef: "r" };
    };
    expect(bodyOf(await refund(setup, chargeId, { amount: 100, key: "k" }))["status"]).toBe("pending");
    deps.clock.advance(60);
    await reconcileDueRefunds(deps, { limit: 50 });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await chargeOf(chargeId)).toMatchObject({ amountRefunded: 100n, amountRefunding: 0n });
  });

  test("while the reconciler looks a refund up, the merchant's repeat gets 409, and no second look-up runs", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    bank.state.refund = async () => ({ kind: "unknown" });
    await refund(setup, chargeId, { amount: 100, key: "k" });
    bank.state.findRefund = async () => ({ kind: "not_found" });
    const repeats: string[] = [];
    bank.state.refund = async ({ key }) => {
      deps.clock.advance(10);
      repeats.push((await refusalOf(refund(setup, chargeId, { amount: 100, key: "k" }))).code);
      return { kind: "succeeded", refundRef: `ref_${key}` };
    };
    // At this time, the refund is still repeated. A moment later, it would only be looked up.
    deps.clock.advance(23 * 3600 - 5);
    await reconcileDueRefunds(deps, { limit: 50 });
    expect(repeats).toEqual(["idempotency_key_in_use"]);
    expect(await chargeOf(chargeId)).toMatchObject({ amountRefunded: 100n, amountRefunding: 0n });
  });

  test("after 23 h a refund isn't repeated, because a repeat might move the money twice: it is looked up by our metadata", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const refunds = bank.state.refund;
    bank.state.refund = async () => ({ kind: "unknown" });
    const made = [
      bodyOf(await refund(setup, chargeId, { amount: 100, key: "a" })),
      bodyOf(await refund(setup, chargeId, { amount: 200, key: "b" })),
    ];
    bank.state.refund = () => Promise.reject(new Error("repeated after the processor may have forgotten the key"));
    bank.state.findRefund = async ({ refundId }) =>
      refundId === made[0]?.["id"] ? { kind: "succeeded", refundRef: "re_a" } : { kind: "not_found" };
    deps.clock.advance(23 * 3600);
    await reconcileDueRefunds(deps, { limit: 50 });
    expect(await chargeOf(chargeId)).toMatchObject({ amountRefunded: 100n, amountRefunding: 0n });
    expect(await eventsOf(String(made[1]?.["id"]))).toEqual(["refund.failed"]);
    bank.state.refund = refunds;
    // The first answer under this key was 201, so a repeat returns the final state. Another refund needs another key.
    expect(bodyOf(await refund(setup, chargeId, { amount: 200, key: "b" }))).toMatchObject({
      id: made[1]?.["id"],
      status: "failed",
    });
    expect(bodyOf(await refund(setup, chargeId, { amount: 200, key: "c" }))).toMatchObject({ status: "succeeded" });
  });

  test("if the processor accepts no connection, the response is 503: nothing is in progress, and the key is free", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const refunds = bank.state.refund;
    bank.state.refund = async () => ({ kind: "not_sent" });
    expect(await refusalOf(refund(setup, chargeId, { amount: 100, key: "k" }))).toMatchObject({ kind: "unavailable" });
    expect(await chargeOf(chargeId)).toMatchObject({ amountRefunded: 0n, amountRefunding: 0n });
    bank.state.refund = refunds;
    expect(bodyOf(await refund(setup, chargeId, { amount: 200, key: "k" }))).toMatchObject({
      status: "succeeded",
      amount: 200,
    });
  });

  test("the reconciler continues a refund whose process crashed, and sends it once", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const refunds = bank.state.refund;
    bank.state.refund = () => Promise.reject(new Error("killed"));
    await refund(setup, chargeId, { amount: 100, key: "k" }).catch(() => {});
    bank.state.refund = refunds;
    expect((await refusalOf(refund(setup, chargeId, { amount: 100, key: "k" }))).code).toBe("idempotency_key_in_use");
    deps.clock.advance(20);
    await Promise.all([reconcileDueRefunds(deps, { limit: 50 }), reconcileDueRefunds(deps, { limit: 50 })]);
    expect(bodyOf(await refund(setup, chargeId, { amount: 100, key: "k" }))["status"]).toBe("succeeded");
    expect(sum(given.values())).toBe(100n);
  });
});

describe("concurrent refunds: pending and succeeded amounts never exceed the captured amount", () => {
  test("if 1,000 were captured and 50 refunds of 90 are concurrent, eleven are made, and no others are sent", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, refund_policy: "restore" });
    const { chargeId } = await setup.charge({});
    const won = await settled(Array.from({ length: 50 }, () => refund(setup, chargeId, { amount: 90 })));
    expect(won).toHaveLength(11);
    expect(sum(given.values())).toBe(990n);
    expect(await chargeOf(chargeId)).toMatchObject({ state: "partially_refunded", amountRefunded: 990n });
    expect(await setup.counters()).toMatchObject({ used: 10n, usedCount: 1n });
  });

  test("20 concurrent refunds of the full remaining amount return the money once", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    expect(await settled(Array.from({ length: 20 }, () => refund(setup, chargeId)))).toHaveLength(1);
    expect(sum(given.values())).toBe(1_000n);
  });

  test("20 identical refunds under one key are sent once", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({});
    const won = await settled(Array.from({ length: 20 }, () => refund(setup, chargeId, { amount: 70, key: "k" })));
    expect(new Set(won.map(({ body }) => body)).size).toBe(1);
    expect(sum(given.values())).toBe(70n);
  });

  test("concurrent refunds (succeeding, failing and open), charges, reconciliation and revocation break no invariant", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 50_000, refund_policy: "restore" });
    const charges = await Promise.all(Array.from({ length: 6 }, () => setup.charge({ amount: 1_000 })));
    let calls = 0;
    bank.state.refund = async ({ key }) => {
      calls += 1;
      if (calls % 4 === 0) return { kind: "unknown" };
      if (calls % 5 === 0) return { kind: "failed", refundRef: key, code: "declined" };
      return calls % 3 === 0 ? { kind: "pending", refundRef: key } : { kind: "succeeded", refundRef: key };
    };
    const actor = { kind: "payer", id: setup.payer.id } as const;
    const attempts = charges.flatMap(({ chargeId }) =>
      Array.from({ length: 12 }, (_, index) => refund(setup, chargeId, { amount: 50 + index * 10 })),
    );
    const others = Promise.allSettled([
      ...Array.from({ length: 20 }, () => setup.charge({ amount: 100 })),
      ...Array.from({ length: 6 }, () => reconcileDueRefunds(deps, { limit: 20 })),
      revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" }),
    ]);
    await settled(attempts);
    await others;
    for (let round = 0; round < 6; round += 1) {
      deps.clock.advance(120);
      await reconcileDueRefunds(deps, { limit: 100 });
    }
    const rows = await deps.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    for (const row of rows) expect(row.amountRefunded + row.amountRefunding <= row.amountCaptured).toBe(true);
    const used = sum(rows.map((row) => row.amountCaptured - row.amountRefunded));
    expect(await setup.counters()).toMatchObject({ state: "revoked", used, held: 0n });
  });
});
