import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findCharge } from "../../data/charges/charges.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { expireDueMandates } from "../../mandates/lifecycle/expire-due-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { resumeMandate } from "../../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import type { MandateAct } from "../../mandates/lifecycle/transition-mandate.ts";
import { answerToCharge } from "../idempotency/answers.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { chargeResult } from "../rules/results.ts";
import { requestCapture, requestCharge } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor, untilSubmitted } from "./charge-setup.fixture.ts";

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
afterAll(() => deps.close());

const payerOf = (payer: { id: string }) => ({ kind: "payer", id: payer.id }) as const;
const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);

describe("POST /merchant_test/charge (docs/spec/payments.md, Charges)", () => {
  test("a charge that succeeds gets 201 with Location, uses the budget and holds nothing", async () => {
    const setup = await makeChargeableMandate(deps, {
      max_total_amount: 3_000,
      periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 2_000 }],
    });
    const answer = await setup.charge({ reference: "order-1", metadata: { basket: "weekly" } });
    expect(answer.status).toBe(201);
    expect(answer.location).toMatch(/\/merchant_test\/charges\/chg_/);
    expect(bodyOf(answer)).toMatchObject({
      status: "succeeded",
      amount: 1_000,
      amount_captured: 1_000,
      amount_refunded: 0,
      reference: "order-1",
      mandate_id: setup.mandateId,
      merchant_id: setup.merchant.id,
      metadata: { basket: "weekly" },
    });
    const counters = await setup.counters();
    expect(counters).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n, heldCount: 0n });
    expect(counters.periods).toMatchObject([
      { limitKey: "month:calendar", usedAmount: 1_000n, heldAmount: 0n, usedCount: 1n },
    ]);
    const events = await deps.db.prisma.event.findMany({ where: { objectId: answer.chargeId } });
    expect(events.map((event) => event.type)).toEqual(["charge.succeeded"]);
  });

  test("a charge that the processor declines gets 402 with advice, releases the budget and is stored", async () => {
    bank.state.pay = async () => ({
      kind: "declined",
      processorRef: "r",
      declineCode: "insufficient_funds",
      retryable: true,
      advice: "Later.",
    });
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    const answer = await setup.charge({}, "once");
    expect(answer.status).toBe(402);
    expect(bodyOf(answer)).toMatchObject({
      status: 402,
      charge_id: answer.chargeId,
      code: "card_declined",
      decline_code: "insufficient_funds",
      retryable: true,
    });
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n, usedCount: 0n, heldCount: 0n });
    const again = await setup.charge({}, "once");
    expect(again).toMatchObject({ status: 402, body: answer.body, isRepeat: true });
    expect(bank.state.calls).toBe(1);
  });

  test("a merchant that isn't named in payees gets the same 404 response as for an unknown mandate id", async () => {
    const setup = await makeChargeableMandate(deps);
    const other = await makeMerchant(deps);
    const otherClient = await makeMerchantClient(deps, other.id);
    const request = { amount: 1, currency: "EUR", payer_presence: "in_session" } as const;
    const call = (mandate_id: string) =>
      requestCharge(deps, {
        merchantId: other.id,
        clientId: otherClient.id,
        requestId: "r",
        idempotencyKey: newId("req"),
        request: { mandate_id, ...request },
      });
    const foreign = await call(setup.mandateId).catch((error: Error) => error);
    const unknown = await call(newId("mdt")).catch((error: Error) => error);
    expect(foreign).toMatchObject({ kind: "not_found", code: "mandate_not_found" });
    expect(String(foreign)).toBe(String(unknown));
  });

  test("a refused request gets 403 with reasons; no charge is made, and the key can be used again", async () => {
    const setup = await makeChargeableMandate(deps);
    expect(await refusalOf(setup.charge({ amount: 5_001 }, "k"))).toMatchObject({
      kind: "forbidden",
      code: "refused_by_mandate",
      reasons: ["amount_exceeds_per_payment"],
    });
    expect(await deps.db.prisma.charge.count({ where: { mandateId: setup.mandateId } })).toBe(0);
    expect((await setup.charge({ amount: 5_000 }, "k")).status).toBe(201);
  });

  test("manual capture is refused with the field's name if the processor has no separate capture", async () => {
    const setup = await makeChargeableMandate(deps);
    bank.state.capabilities = { ...bank.state.capabilities, separateCapture: false };
    expect((await refusalOf(setup.charge({ capture_method: "manual" }))).pointers).toEqual(["/capture_method"]);
  });

  test("a charge above step_up_above gets 202 and waits for the payer; its amount is held, and nothing is submitted", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 900, max_total_amount: 3_000 });
    expect((await setup.charge({ amount: 900 })).status).toBe(201);
    const answer = await setup.charge({ amount: 901 }, "above");
    expect(answer.status).toBe(202);
    expect(bodyOf(answer)).toMatchObject({
      status: "requires_action",
      next_action: { type: "payer_approval", url: `${deps.config.walletUrl}/wallet/approvals/${answer.chargeId}` },
    });
    expect(bank.state.calls).toBe(1);
    expect(await setup.counters()).toMatchObject({ used: 900n, held: 901n });
    expect(await setup.charge({ amount: 901 }, "above")).toMatchObject({ status: 202, isRepeat: true });
  });

  test("at most 20 payments of a merchant wait for a mandate's payer, even if more arrive concurrently; any further request gets 429 and makes no charge", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    const ask = (key: string): Promise<number | string> =>
      setup.charge({}, key).then(
        ({ status }) => status,
        ({ code }) => code,
      );
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(`waits_${index}`)));
    expect(outcomes.filter((outcome) => outcome === 202)).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === "too_many_waiting")).toHaveLength(10);
    expect(await setup.counters()).toMatchObject({ held: 20_000n });
    // A charge that needs no approval still succeeds. A repeat of a waiting charge's request gets the same answer.
    expect((await setup.charge({ amount: 1 })).status).toBe(201);
    const repeated = await setup.charge({}, `waits_${outcomes.indexOf(202)}`);
    expect(repeated).toMatchObject({ status: 202, isRepeat: true });
    const headers = { "retry-after": "900" };
    await expect(setup.charge({}, "more")).rejects.toMatchObject({ code: "too_many_waiting", headers });
    deps.clock.advance(15 * 60);
    expect((await setup.charge({}, "more")).status).toBe(202);
  });

  test("a charge with an unknown outcome gets 202 and keeps its hold", async () => {
    bank.state.pay = async () => ({ kind: "unknown" });
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    const answer = await setup.charge({});
    expect(answer.status).toBe(202);
    expect(bodyOf(answer)["status"]).toBe("unknown");
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 1_000n });
  });

  test("a charge that requires 3-D Secure gets 202 with the URL of the authentication page", async () => {
    bank.state.pay = async () => ({
      kind: "requires_action",
      processorRef: "r",
      actionUrl: "https://bank.example/3ds",
    });
    const setup = await makeChargeableMandate(deps);
    const answer = await setup.charge({});
    expect(answer.status).toBe(202);
    expect(bodyOf(answer)).toMatchObject({
      status: "requires_action",
      next_action: { type: "redirect", url: "https://bank.example/3ds" },
    });
  });

  test("if the processor accepts no connection, the response is 503, nothing is held, and the key is free", async () => {
    bank.state.pay = async () => ({ kind: "not_sent" });
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    expect(await refusalOf(setup.charge({}, "k"))).toMatchObject({
      kind: "unavailable",
      code: "processor_unavailable",
    });
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
    relay = scriptedProcessor().processors;
    expect((await setup.charge({}, "k")).status).toBe(201);
  });

  test("if the process has no access to the processor, the response is 503 too", async () => {
    const setup = await makeChargeableMandate(deps);
    relay = {
      get: (name) => {
        throw new UnconfiguredProcessor(name);
      },
    };
    expect((await refusalOf(setup.charge({}, "k"))).code).toBe("processor_unavailable");
    relay = bank.processors;
    expect((await setup.charge({}, "k")).status).toBe(201);
  });

  test("when the used amount reaches a lifetime cap and nothing is held, the mandate is consumed and its grant ends", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 2 });
    await setup.charge({}, "first");
    expect((await setup.counters()).state).toBe("active");
    await setup.charge({});
    expect((await setup.counters()).state).toBe("consumed");
    expect((await deps.db.prisma.grant.findUniqueOrThrow({ where: { id: setup.grant.id } })).endedAt).not.toBeNull();
    expect((await refusalOf(setup.charge({}))).reasons).toEqual(["mandate_consumed"]);
    // A stored answer is returned even if the permission has ended.
    expect(await setup.charge({}, "first")).toMatchObject({ status: 201, isRepeat: true });
  });

  test("a capture after valid_until doesn't consume the mandate, because the mandate has already expired", async () => {
    const valid_until = new Date(deps.clock.now().getTime() + 60_000).toISOString();
    const setup = await makeChargeableMandate(deps, { max_payments: 1, valid_until });
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    deps.clock.advance(60);
    const { merchant, merchantClient } = setup;
    const by = { merchantId: merchant.id, clientId: merchantClient.id, requestId: "r", idempotencyKey: "c" };
    expect((await requestCapture(deps, { ...by, chargeId, request: {} })).status).toBe(200);
    await expireDueMandates(deps, { limit: 100 });
    expect(await setup.counters()).toMatchObject({ state: "expired", used: 1_000n });
  });

  test("a charge counts at the time of its reservation, even after a long time in the queue (docs/spec/payments.md, Limits and periods)", async () => {
    const midnight = new Date(deps.clock.now()).setUTCHours(24, 0, 0, 0);
    deps.clock.set(new Date(midnight - 2_000));
    const inSharedTurn: typeof deps.db.inSharedTurn = (key, work) => {
      deps.clock.advance(5);
      return deps.db.inSharedTurn(key, work);
    };
    const daily = { period: "day", alignment: "calendar", max_payments: 1 } as const;
    const setup = await makeChargeableMandate(
      { ...deps, db: { ...deps.db, inSharedTurn } },
      { valid_until: new Date(midnight + 60_000).toISOString(), periodic_limits: [daily] },
    );
    const { chargeId } = await setup.charge();
    // The charge is decided at the end of a day, and again on the next day. Each decision takes five seconds.
    const reservedAt = new Date(midnight + 8_000);
    expect(await findCharge(deps.db.sql, chargeId)).toMatchObject({ createdAt: reservedAt });
    const { periods } = await setup.counters();
    expect(periods).toMatchObject([{ startsAt: new Date(midnight), usedCount: 1n }]);
    expect((await refusalOf(setup.charge())).reasons).toEqual(["count_limit_exceeded"]);
    deps.clock.set(new Date(midnight + 58_000));
    const late = await makeChargeableMandate(
      { ...deps, db: { ...deps.db, inSharedTurn } },
      { valid_until: new Date(midnight + 60_000).toISOString() },
    );
    expect((await refusalOf(late.charge())).reasons).toEqual(["mandate_expired"]);
  });

  test("with refund_policy restore, a mandate that reaches its amount cap isn't consumed; further charges are refused with total_limit_exceeded", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000, refund_policy: "restore" });
    await setup.charge({});
    expect((await setup.counters()).state).toBe("active");
    expect((await refusalOf(setup.charge({ amount: 1 }))).reasons).toEqual(["total_limit_exceeded"]);
  });
});

describe("Idempotency-Key", () => {
  test("a repeat gets the first final answer byte for byte, and nothing moves twice", async () => {
    const setup = await makeChargeableMandate(deps);
    const first = await setup.charge({ reference: "ü" }, "k");
    const again = await setup.charge({ reference: "ü" }, "k");
    expect(again).toEqual({ ...first, isRepeat: true });
    expect(bank.moved.size).toBe(1);
  });

  test.each([
    { kind: "succeeded", processorRef: "r" },
    { kind: "declined", processorRef: "r", declineCode: "lost_card", retryable: false, advice: "Ask for another." },
    { kind: "requires_action", processorRef: "r", actionUrl: "https://bank.example/" },
  ] as const)(
    "if another process settles the charge while an answer is built from its row, the answer is the same byte for byte: $kind",
    async (outcome) => {
      bank.state.pay = async () => outcome;
      const setup = await makeChargeableMandate(deps);
      const answer = await setup.charge({ metadata: { zz: "1", basket: "2", b: "3" } });
      const row = await findCharge(deps.db.sql, answer.chargeId);
      expect(answer).toMatchObject(row ? answerToCharge(deps, chargeResult(row)) : {});
    },
  );

  test("another body with the same key gets 422; a body with its members in another order counts as the same body (RFC 8785)", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge({ reference: "a", metadata: { a: "1", b: "2" } }, "k");
    expect(await setup.charge({ metadata: { b: "2", a: "1" }, reference: "a" }, "k")).toMatchObject({
      isRepeat: true,
    });
    expect(await refusalOf(setup.charge({ reference: "b" }, "k"))).toMatchObject({ kind: "unprocessable" });
  });

  test("two merchants can use the same key independently", async () => {
    const [one, two] = await Promise.all([makeChargeableMandate(deps), makeChargeableMandate(deps)]);
    expect((await one.charge({}, "same")).isRepeat).toBe(false);
    expect((await two.charge({}, "same")).isRepeat).toBe(false);
  });

  test("if 50 requests with the same key are concurrent, one makes the charge; the others wait or get the same answer", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 5_000 });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => setup.charge({}, "k")));
    const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const refusals = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as { kind: string }] : [],
    );
    expect(answers.filter((answer) => !answer.isRepeat)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(refusals.every((refusal) => refusal.kind === "conflict")).toBe(true);
    expect(bank.state.calls).toBe(1);
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
  });
});

const chargesOf = (setup: Setup, { count, amount }: { count: number; amount: number }) =>
  Array.from({ length: count }, (_, index) => untilSubmitted(() => setup.charge({ amount }, `concurrent-${index}`)));

describe("budget under concurrency", () => {
  test("200 parallel charges near the cap never exceed it", async () => {
    const setup = await makeChargeableMandate(deps, {
      max_total_amount: 12_345,
      periodic_limits: [
        { period: "day", alignment: "calendar", max_amount: 10_050 },
        { period: "month", alignment: "consent", max_payments: 150 },
      ],
    });
    const results = await Promise.allSettled(chargesOf(setup, { count: 200, amount: 100 }));
    const succeeded = results.filter((result) => result.status === "fulfilled").length;
    const reasons = new Set(
      results
        .flatMap((result) =>
          result.status === "rejected"
            ? ((result.reason as { members?: { reasons?: { code: string }[] } }).members?.reasons ?? [
                { code: String(result.reason) },
              ])
            : [],
        )
        .map((reason) => reason.code),
    );
    expect(succeeded).toBe(100);
    expect([...reasons]).toEqual(["period_limit_exceeded"]);
    expect(bank.moved.size).toBe(100);
    const counters = await setup.counters();
    expect(counters).toMatchObject({ used: 10_000n, held: 0n, usedCount: 100n, heldCount: 0n });
    for (const period of counters.periods)
      expect(period).toMatchObject({ usedAmount: 10_000n, heldAmount: 0n, usedCount: 100n });
  });

  test("200 parallel charges near the lifetime cap never exceed it", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 9_950 });
    const results = await Promise.allSettled(chargesOf(setup, { count: 200, amount: 100 }));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(99);
    expect(bank.moved.size).toBe(99);
    expect(await setup.counters()).toMatchObject({ used: 9_900n, held: 0n, usedCount: 99n });
  });

  test("the number of payments is held like an amount: if 40 charges are concurrent under max_payments 7, seven are made", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 7 });
    const results = await Promise.allSettled(chargesOf(setup, { count: 40, amount: 1 }));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(7);
    expect(await setup.counters()).toMatchObject({ usedCount: 7n, heldCount: 0n, state: "consumed" });
  });

  test("every charge is ordered before or after a concurrent revocation", async () => {
    for (let round = 0; round < 10; round += 1) {
      const setup = await makeChargeableMandate(deps);
      const charges = Array.from({ length: 12 }, () => setup.charge({ amount: 10 }));
      const revoked = revokeMandate(deps, {
        mandateId: setup.mandateId,
        actor: payerOf(setup.payer),
        requestId: "r",
      });
      const results = await Promise.allSettled(charges);
      await revoked;
      const rows = await deps.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
      const moved = [...bank.moved.values()].filter((request) => rows.some((row) => row.id === request.chargeId));
      expect(rows.filter((row) => row.state === "succeeded")).toHaveLength(moved.length);
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(moved.length);
      expect(rows.every((row) => row.state === "succeeded" || row.state === "voided")).toBe(true);
      expect(await setup.counters()).toMatchObject({
        state: "revoked",
        held: 0n,
        heldCount: 0n,
        used: BigInt(moved.length * 10),
      });
      expect((await refusalOf(setup.charge({}))).reasons).toEqual(["mandate_revoked"]);
    }
  });

  test("a paused mandate refuses the next charge", async () => {
    const setup = await makeChargeableMandate(deps);
    await suspendMandate(deps, { mandateId: setup.mandateId, actor: payerOf(setup.payer), requestId: "r" });
    expect((await refusalOf(setup.charge({}))).reasons).toEqual(["mandate_suspended"]);
  });

  const chargeBy = (own: TestDeps, { merchant, merchantClient, mandateId }: Setup) =>
    requestCharge(own, {
      merchantId: merchant.id,
      clientId: merchantClient.id,
      requestId: "r",
      idempotencyKey: "k",
      request: { mandate_id: mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
    });
  const hooked = (name: string, happen: () => Promise<unknown>): TestDeps => ({
    ...deps,
    db: {
      ...deps.db,
      sql: {
        async query(statement, values) {
          if (statement.name === name) await happen();
          return deps.db.sql.query(statement, values);
        },
      },
    },
  });
  /** @param happen runs after the charge is reserved and before it is submitted. */
  const whileReserved = (happen: () => Promise<unknown>) => hooked("submit_charge", happen);

  test("if the mandate is paused after the reservation, the charge isn't sent: neither by its process nor by a retry after a crash", async () => {
    const act = (setup: Setup) => ({ ...setup, actor: payerOf(setup.payer), requestId: "r" });
    const crash = () => Promise.reject(new Error("killed"));
    for (const isCrash of [false, true]) {
      const setup = await makeChargeableMandate(deps);
      const pause = () => suspendMandate(deps, act(setup));
      const attempt = chargeBy(whileReserved(isCrash ? crash : pause), setup);
      if (isCrash) {
        await expect(attempt).rejects.toThrow("killed");
        await pause();
        deps.clock.advance(31);
        expect((await refusalOf(chargeBy(deps, setup))).code).toBe("idempotency_key_in_use");
      } else expect((await refusalOf(attempt)).reasons).toEqual(["mandate_suspended"]);
      expect((await refusalOf(chargeBy(deps, setup))).reasons).toEqual(["mandate_suspended"]);
      expect([bank.state.calls, await setup.counters()]).toMatchObject([0, { held: 0n, heldCount: 0n, used: 0n }]);
      await resumeMandate(deps, act(setup));
      expect((await chargeBy(deps, setup)).status).toBe(201);
      bank = scriptedProcessor();
      relay = bank.processors;
    }
  });

  test.each<[string, (setup: Setup) => Promise<unknown>, object]>([
    [
      "its merchant is suspended",
      ({ merchant }) =>
        deps.db.prisma.merchant.update({ where: { id: merchant.id }, data: { suspendedAt: deps.clock.now() } }),
      { code: "merchant_suspended" },
    ],
    [
      "its card is removed",
      ({ payer }) =>
        deps.db.prisma.paymentMethod.update({
          where: { id: payer.paymentMethodId },
          data: { removedAt: deps.clock.now() },
        }),
      { reasons: ["mandate_suspended"] },
    ],
  ])("a charge isn't sent after %s, even if the charge was decided before", async (_name, happen, refusal) => {
    const setup = await makeChargeableMandate(deps);
    expect(
      await refusalOf(
        chargeBy(
          whileReserved(() => happen(setup)),
          setup,
        ),
      ),
    ).toMatchObject(refusal);
    expect([bank.state.calls, await setup.counters()]).toMatchObject([0, { held: 0n, heldCount: 0n, used: 0n }]);
  });

  /** Makes a charge. `meanwhile` runs after the charge was decided and before its reservation begins. */
  const chargeWith = (setup: Setup, meanwhile: () => Promise<unknown>) => {
    let isFirst = true;
    const slow: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        async inSharedTurn(key, work) {
          if (isFirst) {
            isFirst = false;
            await meanwhile();
          }
          return deps.db.inSharedTurn(key, work);
        },
      },
    };
    return requestCharge(slow, {
      merchantId: setup.merchant.id,
      clientId: setup.merchantClient.id,
      requestId: "r",
      idempotencyKey: "k",
      request: { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
    });
  };

  test("if a revocation voids a charge before it is sent, a repeated request returns no charge, and the key is free", async () => {
    const setup = await makeChargeableMandate(deps);
    const act = { mandateId: setup.mandateId, actor: payerOf(setup.payer), requestId: "r" };
    const [reserved, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = chargeBy(
      whileReserved(() => {
        reserved.resolve();
        return goOn.promise;
      }),
      setup,
    );
    await reserved.promise;
    const revoke = () => deps.db.transaction((tx) => revokeMandate(deps, { ...act, tx }));
    expect((await refusalOf(chargeBy(hooked("find_charge", revoke), setup))).reasons).toEqual(["mandate_revoked"]);
    goOn.resolve();
    expect((await refusalOf(first)).reasons).toEqual(["mandate_revoked"]);
    expect((await refusalOf(chargeBy(deps, setup))).reasons).toEqual(["mandate_revoked"]);
  });

  test.each<[string, (setup: Setup, act: MandateAct) => Promise<unknown>, string]>([
    ["revoked", (_, act) => revokeMandate(deps, act), "mandate_revoked"],
    ["paused", (_, act) => suspendMandate(deps, act), "mandate_suspended"],
    [
      "given a cap on its period",
      (_, act) =>
        narrowMandate(deps, {
          ...act,
          narrowing: { periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 999 }] },
        }),
      "period_limit_exceeded",
    ],
    [
      "narrowed",
      (_, act) => narrowMandate(deps, { ...act, narrowing: { max_amount_per_payment: 999 } }),
      "amount_exceeds_per_payment",
    ],
    ["used up", (setup) => setup.charge({ amount: 4_500 }), "total_limit_exceeded"],
  ])("refuses a charge if the mandate is %s between the decision and the reservation", async (_, happen, code) => {
    const counted = [{ period: "day" as const, alignment: "calendar" as const, max_payments: 9 }];
    const setup = await makeChargeableMandate(deps, { max_total_amount: 5_000, periodic_limits: counted });
    const act = { mandateId: setup.mandateId, actor: payerOf(setup.payer), requestId: "r" };
    expect((await refusalOf(chargeWith(setup, () => happen(setup, act)))).reasons).toEqual([code]);
    expect(await setup.counters()).toMatchObject({ held: 0n, heldCount: 0n });
  });

  test("concurrent charges, pauses, limit changes, reconciliation and revocation cause no deadlock and break no invariant", async () => {
    bank.state.pay = async (request) => {
      bank.moved.set(request.key, request);
      const kinds = ["succeeded", "unknown", "declined"] as const;
      const kind = kinds[bank.moved.size % 3] ?? "unknown";
      const processorRef = "r";
      if (kind !== "declined") return kind === "unknown" ? { kind } : { kind, processorRef };
      return { kind, processorRef, declineCode: "generic_decline", retryable: false, advice: "No." };
    };
    const own = { period: "day", alignment: "consent" } as const;
    const setup = await makeChargeableMandate(deps, {
      max_total_amount: 4_000,
      periodic_limits: [{ ...own, max_amount: 3_500 }],
    });
    const act = { mandateId: setup.mandateId, actor: payerOf(setup.payer), requestId: "r" };
    const work: Promise<unknown>[] = [];
    for (let round = 0; round < 12; round += 1) {
      work.push(...Array.from({ length: 8 }, () => setup.charge({ amount: 50 })));
      work.push(suspendMandate(deps, act).then(() => resumeMandate(deps, act)));
      work.push(narrowMandate(deps, { ...act, narrowing: { max_total_amount: 4_000 - round } }));
      work.push(reconcileDueCharges(deps, { limit: 10 }));
    }
    work.push(deps.db.transaction((tx) => revokeMandate(deps, { ...act, tx })));
    const faults = (await Promise.allSettled(work)).flatMap((result) =>
      result.status === "rejected" && !isDomainError(result.reason) ? [String(result.reason)] : [],
    );
    expect(faults).toEqual([]);
    const rows = await deps.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    const sum = (states: string[]) =>
      rows.filter((row) => states.includes(row.state)).reduce((total, row) => total + row.amount, 0n);
    const counters = await setup.counters();
    expect(counters).toMatchObject({ state: "revoked", used: sum(["succeeded"]), held: sum(["unknown", "submitted"]) });
    const days = counters.periods.reduce((total, period) => total + period.usedAmount + period.heldAmount, 0n);
    expect(days).toBe(counters.used + counters.held);
    expect(counters.used + counters.held <= 4_000n).toBe(true);
  });
});
