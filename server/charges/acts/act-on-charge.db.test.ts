import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { requestCapture, requestVoid } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { authorizationSeconds } from "../rules/schedule.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let relay: ReturnType<typeof scriptedProcessor>["processors"];
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => relay.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
  relay = bank.processors;
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);

const limits = {
  max_total_amount: 3_000,
  periodic_limits: [{ period: "month" as const, alignment: "calendar" as const, max_amount: 2_000 }],
};
const authorize = async (setup: Setup, amount = 1_000): Promise<string> => {
  const answer = await setup.charge({ amount, capture_method: "manual" });
  expect([answer.status, bodyOf(answer)["status"]]).toEqual([201, "authorized"]);
  return answer.chargeId;
};
const act = (setup: Setup, chargeId: string, idempotencyKey: string = newId("req")) => ({
  merchantId: setup.merchant.id,
  clientId: setup.merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey,
});
const capture = (setup: Setup, chargeId: string, { amount, key }: { amount?: number; key?: string } = {}) =>
  requestCapture(deps, { ...act(setup, chargeId, key), request: amount === undefined ? {} : { amount } });
const cancel = (setup: Setup, chargeId: string, key?: string) => requestVoid(deps, act(setup, chargeId, key));
const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);

describe("capture_method manual (docs/spec/payments.md, Charges)", () => {
  test.each([
    ["capture", capture],
    ["void", cancel],
  ] as const)(
    "if the process has no access to the processor, a %s gets 503, and nothing is stored",
    async (_, attempt) => {
      const setup = await makeChargeableMandate(deps, limits);
      const chargeId = await authorize(setup);
      relay = {
        get: (name) => {
          throw new UnconfiguredProcessor(name);
        },
      };
      const refused = await refusalOf(attempt(setup, chargeId));
      expect(refused).toMatchObject({ kind: "unavailable", code: "processor_unavailable" });
      relay = bank.processors;
      expect((await capture(setup, chargeId)).status).toBe(200);
    },
  );

  test("an authorized charge gets 201 and holds its amount; a capture without an amount gets 200 and captures the whole amount", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 1_000n, usedCount: 0n, heldCount: 1n });
    const answer = await capture(setup, chargeId);
    expect([answer.status, answer.isRepeat]).toEqual([200, false]);
    expect(bodyOf(answer)).toMatchObject({
      id: chargeId,
      status: "captured",
      amount: 1_000,
      amount_captured: 1_000,
      capture_method: "manual",
    });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n, heldCount: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.authorized", "charge.captured"]);
  });

  test("a partial capture releases the rest of the amount from the lifetime caps and from the charge's period", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup, 2_000);
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["period_limit_exceeded"]);
    expect(bodyOf(await capture(setup, chargeId, { amount: 700 }))).toMatchObject({
      status: "partially_captured",
      amount: 2_000,
      amount_captured: 700,
    });
    const counters = await setup.counters();
    expect(counters).toMatchObject({ used: 700n, held: 0n, usedCount: 1n, heldCount: 0n });
    expect(counters.periods).toMatchObject([{ usedAmount: 700n, heldAmount: 0n, usedCount: 1n, heldCount: 0n }]);
    expect((await setup.charge({ amount: 1_300 })).status).toBe(201);
    expect((await refusalOf(capture(setup, chargeId, { amount: 1 }))).code).toBe("charge_not_authorized");
  });

  test("a void gets 200, releases the whole amount and is final", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    const answer = await cancel(setup, chargeId);
    expect([answer.status, bodyOf(answer)["status"]]).toEqual([200, "voided"]);
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n, usedCount: 0n, heldCount: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.authorized", "charge.voided"]);
    expect((await refusalOf(capture(setup, chargeId))).code).toBe("charge_not_authorized");
  });

  test("a capture of more than the authorized amount gets 422; a partial capture that the processor doesn't support gets 400 with the field's name", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    expect(await refusalOf(capture(setup, chargeId, { amount: 1_001 }))).toMatchObject({
      kind: "unprocessable",
      code: "exceeds_authorized",
      pointers: ["/amount"],
    });
    bank.state.capabilities = { ...bank.state.capabilities, partialCapture: false };
    expect(await refusalOf(capture(setup, chargeId, { amount: 999 }))).toMatchObject({
      kind: "invalid",
      pointers: ["/amount"],
    });
    expect((await capture(setup, chargeId, { amount: 1_000 })).status).toBe(200);
  });

  test("an automatically captured charge, and another merchant's charge, can't be captured or voided", async () => {
    const [setup, other] = await Promise.all([makeChargeableMandate(deps, limits), makeChargeableMandate(deps)]);
    const { chargeId } = await setup.charge({});
    expect(await refusalOf(capture(setup, chargeId))).toMatchObject({ kind: "conflict" });
    expect((await refusalOf(cancel(setup, chargeId))).code).toBe("charge_not_authorized");
    const authorized = await authorize(setup);
    for (const attempt of [
      () => capture(other, authorized),
      () => cancel(other, authorized),
      () => cancel(setup, newId("chg")),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ kind: "not_found", code: "charge_not_found" });
    }
  });

  test("an authorized charge may be captured in any state of the mandate", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    const actor = { kind: "payer", id: setup.payer.id } as const;
    await revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
    expect((await capture(setup, chargeId, { amount: 600 })).status).toBe(200);
    expect(await setup.counters()).toMatchObject({ state: "revoked", used: 600n, held: 0n });
  });

  test("a mandate is consumed when captures have reached a lifetime cap and no amount is held", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 1 });
    await capture(setup, await authorize(setup));
    expect((await setup.counters()).state).toBe("consumed");
    const full = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    const [used, held] = [await authorize(full, 900), await authorize(full, 100)];
    await capture(full, used);
    expect((await full.counters()).state).toBe("active");
    await capture(full, held);
    expect((await full.counters()).state).toBe("consumed");
  });
});

describe("Idempotency-Key of capture and void", () => {
  test("a repeat gets the first answer byte for byte, another body gets 422, and the same key on another path is a different key", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    const first = await capture(setup, chargeId, { amount: 400, key: "k" });
    expect(await capture(setup, chargeId, { amount: 400, key: "k" })).toEqual({ ...first, isRepeat: true });
    expect(await refusalOf(capture(setup, chargeId, { amount: 401, key: "k" }))).toMatchObject({
      kind: "unprocessable",
    });
    expect((await refusalOf(cancel(setup, chargeId, "k"))).code).toBe("charge_not_authorized");
  });

  test("a request that the processor refuses gets 402, and this answer is stored; the charge remains authorized and keeps its hold", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    bank.state.capture = async () => ({ kind: "refused", code: "charge_expired_for_capture" });
    const answer = await capture(setup, chargeId, { key: "k" });
    expect(answer.status).toBe(402);
    expect(bodyOf(answer)).toMatchObject({
      charge_id: chargeId,
      code: "processor_refused",
      decline_code: "charge_expired_for_capture",
    });
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 1_000n });
    bank.state.capture = async () => ({ kind: "captured" });
    expect(await capture(setup, chargeId, { key: "k" })).toEqual({ ...answer, isRepeat: true });
    expect((await capture(setup, chargeId)).status).toBe(200);
  });

  test("if the processor accepts no connection, the response is 503: the key is free, and the charge can still be captured", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    bank.state.capture = async () => ({ kind: "not_sent" });
    expect(await refusalOf(capture(setup, chargeId, { amount: 500, key: "k" }))).toMatchObject({ kind: "unavailable" });
    bank.state.capture = async () => ({ kind: "captured" });
    expect(bodyOf(await capture(setup, chargeId, { amount: 600, key: "k" }))).toMatchObject({ amount_captured: 600 });
  });

  test("an act with an unknown outcome gets 202 and keeps the hold; the same request is repeated until the outcome is known", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    const calls: string[] = [];
    bank.state.capture = async ({ key, amountMinor }) => {
      calls.push(`${key} ${amountMinor}`);
      return calls.length < 3 ? { kind: "unknown" } : { kind: "captured" };
    };
    const answer = await capture(setup, chargeId, { amount: 800, key: "k" });
    expect([answer.status, bodyOf(answer)["status"]]).toEqual([202, "authorized"]);
    expect((await refusalOf(cancel(setup, chargeId))).code).toBe("charge_in_use");
    expect(await capture(setup, chargeId, { amount: 800, key: "k" })).toMatchObject({ status: 202, isRepeat: true });
    deps.clock.advance(60);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(new Set(calls).size).toBe(1);
    expect(await setup.counters()).toMatchObject({ used: 800n, held: 0n });
    const kept = await capture(setup, chargeId, { amount: 800, key: "k" });
    expect(kept).toMatchObject({ status: 200, isRepeat: true });
    expect(bodyOf(kept)).toMatchObject({ status: "partially_captured", amount_captured: 800 });
    expect(calls).toHaveLength(3);
  });

  test("if an act timed out, a connection that is refused later doesn't decide the outcome, and the act is repeated", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    bank.state.void = async () => ({ kind: "unknown" });
    await cancel(setup, chargeId, "k");
    bank.state.void = async () => ({ kind: "not_sent" });
    expect(await cancel(setup, chargeId, "k")).toMatchObject({ status: 202 });
    bank.state.void = async () => ({ kind: "voided" });
    expect(bodyOf(await cancel(setup, chargeId, "k"))["status"]).toBe("voided");
  });

  test("the reconciler continues an act whose process crashed", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    bank.state.capture = () => Promise.reject(new Error("killed"));
    await capture(setup, chargeId, { amount: 300, key: "k" }).catch(() => {});
    bank.state.capture = async () => ({ kind: "captured" });
    expect((await refusalOf(capture(setup, chargeId, { amount: 300, key: "k" }))).code).toBe("idempotency_key_in_use");
    deps.clock.advance(20);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(await capture(setup, chargeId, { amount: 300, key: "k" })).toMatchObject({ status: 200, isRepeat: true });
    expect(await setup.counters()).toMatchObject({ used: 300n, held: 0n });
  });
});

describe("races on one authorized charge", () => {
  const settled = async (attempts: Promise<{ status: number; body: string }>[]) => {
    const results = await Promise.allSettled(attempts);
    const faults = results.flatMap((result) =>
      result.status === "rejected" && !isDomainError(result.reason) ? [String(result.reason)] : [],
    );
    expect(faults).toEqual([]);
    return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  };

  test("if twenty captures of different amounts are concurrent, only one is sent and counted", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    const sent: bigint[] = [];
    bank.state.capture = async ({ amountMinor }) => {
      sent.push(amountMinor);
      return { kind: "captured" };
    };
    const won = await settled(
      Array.from({ length: 20 }, (_, index) => capture(setup, chargeId, { amount: 100 + index })),
    );
    expect(won.map(({ status }) => status)).toEqual([200]);
    expect(sent).toHaveLength(1);
    expect(await setup.counters()).toMatchObject({ used: sent[0], held: 0n, usedCount: 1n, heldCount: 0n });
  });

  test("20 identical captures under one key are sent once", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    let calls = 0;
    bank.state.capture = async () => {
      calls += 1;
      return { kind: "captured" };
    };
    const won = await settled(Array.from({ length: 20 }, () => capture(setup, chargeId, { amount: 250, key: "k" })));
    expect(new Set(won.map(({ body }) => body)).size).toBe(1);
    expect(calls).toBe(1);
  });

  test("if a capture and a void are concurrent, exactly one of them succeeds", async () => {
    for (let round = 0; round < 10; round += 1) {
      const setup = await makeChargeableMandate(deps, limits);
      const chargeId = await authorize(setup);
      const sent: string[] = [];
      bank.state.capture = async () => {
        sent.push("captured");
        return { kind: "captured" };
      };
      bank.state.void = async () => {
        sent.push("voided");
        return { kind: "voided" };
      };
      const attempts = [capture(setup, chargeId, { amount: 400 }), cancel(setup, chargeId)];
      const won = await settled(round % 2 === 0 ? attempts : attempts.reverse());
      expect(won).toHaveLength(1);
      expect(sent).toHaveLength(1);
      const used = sent[0] === "captured" ? 400n : 0n;
      expect(await setup.counters()).toMatchObject({ used, held: 0n, heldCount: 0n });
    }
  });

  test("concurrent revocation, captures, voids and reconciliation cause no deadlock and break no invariant", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 100_000 });
    const charges = await Promise.all(Array.from({ length: 24 }, () => authorize(setup, 1_000)));
    const actor = { kind: "payer", id: setup.payer.id } as const;
    const attempts = charges.flatMap((chargeId, index) => [
      capture(setup, chargeId, { amount: 10 * (index + 1) }),
      cancel(setup, chargeId),
    ]);
    const reconciled = reconcileDueCharges(deps, { limit: 50 });
    const revoked = revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
    expect(await settled(attempts)).toHaveLength(24);
    await Promise.all([reconciled, revoked]);
    const rows = await deps.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    const used = rows.reduce((sum, row) => sum + row.amountCaptured, 0n);
    expect(await setup.counters()).toMatchObject({ state: "revoked", used, held: 0n, heldCount: 0n });
  });
});

describe("an authorized charge that is never captured (docs/spec/payments.md, Charge states)", () => {
  test("expires after its time: it is voided at the processor, the hold is released, and the event is sent", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    const voids: string[] = [];
    bank.state.void = async ({ reference }) => {
      voids.push(reference);
      return { kind: "voided" };
    };
    deps.clock.advance(authorizationSeconds - 5);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    deps.clock.advance(10);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(voids.filter((reference) => reference === `ref_${chargeId}`)).toHaveLength(1);
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.authorized", "charge.expired"]);
  });

  test("expires only if the processor reports that the authorization has ended; otherwise it keeps its hold", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    bank.state.void = async () => ({ kind: "refused", code: "invalid_state" });
    deps.clock.advance(authorizationSeconds + 1);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    bank.state.lookup = async () => ({ kind: "voided", processorRef: "r" });
    deps.clock.advance(24 * 3600 + 1);
    await reconcileDueCharges(deps, { limit: 100 });
    expect((await deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } })).state).toBe("expired");
    expect(await setup.counters()).toMatchObject({ held: 0n });
  });

  test("expires 31 days after its creation if the processor can't void the payment and doesn't find it; until then, a void is tried each day", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await authorize(setup);
    let tries = 0;
    bank.state.void = async () => {
      tries += 1;
      return { kind: "refused", code: "resource_missing" };
    };
    bank.state.lookup = async () => ({ kind: "not_found" });
    deps.clock.advance(authorizationSeconds + 1);
    for (let day = 7; day < 31; day += 1) {
      await reconcileDueCharges(deps, { limit: 100 });
      expect(await setup.counters()).toMatchObject({ held: 1_000n });
      deps.clock.advance(24 * 3600);
    }
    await reconcileDueCharges(deps, { limit: 100 });
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.authorized", "charge.expired"]);
    expect(tries).toBe(25);
    deps.clock.advance(48 * 3600);
    await reconcileDueCharges(deps, { limit: 100 });
    expect(tries).toBe(25);
  });
});
