import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import type { ProcessorEvent } from "../../deps/processor-port.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { requestCapture, requestVoid } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { receiveProcessorEvent } from "../reconcile/receive-processor-event.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { actionSeconds } from "../rules/schedule.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
/** The voids at the processor, by key. */
let voids: string[];
const requiresAction = { kind: "requires_action", processorRef: "pi", actionUrl: "https://bank.example/3ds" } as const;

beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
  voids = [];
  bank.state.pay = async () => requiresAction;
  bank.state.lookup = async () => requiresAction;
  bank.state.void = async ({ key }) => {
    voids.push(key);
    return { kind: "voided" };
  };
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);
const limits = { max_total_amount: 1_000 };
const act = (setup: Setup, chargeId: string, idempotencyKey: string = newId("req")) => ({
  merchantId: setup.merchant.id,
  clientId: setup.merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey,
});
const cancel = (setup: Setup, chargeId: string, key?: string) => requestVoid(deps, act(setup, chargeId, key));
const stateOf = async (id: string) => (await deps.db.prisma.charge.findFirstOrThrow({ where: { id } })).state;
const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);
const reconcileAfter = async (seconds: number) => {
  deps.clock.advance(seconds);
  await reconcileDueCharges(deps, { limit: 100 });
};
/** Makes a charge that waits for its payer: for 3-D Secure, unless the mandate requires a step-up by Paygrant. */
const waiting = async (setup: Setup) => {
  const answer = await setup.charge({}, "charge");
  expect([answer.status, bodyOf(answer)["status"]]).toEqual([202, "requires_action"]);
  return answer.chargeId;
};
const sendEvent = (setup: Setup, chargeId: string) => {
  const event: ProcessorEvent = {
    id: "evt",
    type: "payment_intent.succeeded",
    about: "payment",
    reference: "pi",
    account: `acct_${setup.merchant.id}`,
    chargeId,
  };
  return receiveProcessorEvent(deps, { processor: "simulator", event, requestId: "r" });
};

describe("a void while the payer is being asked (docs/spec/payments.md, Charge states: requires_action to voided)", () => {
  test("during a step-up by Paygrant, no request is sent to the processor; the hold is released, the event is sent, and the state is final", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, step_up_above: 1 });
    const chargeId = await waiting(setup);
    const answer = await cancel(setup, chargeId, "k");
    expect([answer.status, bodyOf(answer)["status"], bodyOf(answer)["next_action"]]).toEqual([
      200,
      "voided",
      undefined,
    ]);
    expect([voids, bank.state.calls]).toEqual([[], 0]);
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n, heldCount: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.requires_action", "charge.voided"]);
    expect(await cancel(setup, chargeId, "k")).toEqual({ ...answer, isRepeat: true });
    expect((await refusalOf(cancel(setup, chargeId))).code).toBe("charge_not_authorized");
    expect(await setup.charge({}, "charge")).toMatchObject({ status: 402, isRepeat: true });
  });

  test("during 3-D Secure, the payment is voided once, first at the processor; repeats of the void and of the charge get their own answers", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    const answer = await cancel(setup, chargeId, "k");
    expect([answer.status, bodyOf(answer)["status"]]).toEqual([200, "voided"]);
    expect(voids).toHaveLength(1);
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
    expect(await cancel(setup, chargeId, "k")).toEqual({ ...answer, isRepeat: true });
    const charged = await setup.charge({}, "charge");
    expect([charged.status, bodyOf(charged)["code"]]).toEqual([402, "voided"]);
    expect(voids).toHaveLength(1);
  });

  test("if the payer acts first, the void is refused with this reason, and the charge is paid", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    bank.state.void = async () => ({ kind: "refused", code: "not_voidable" });
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi" });
    const answer = await cancel(setup, chargeId, "k");
    expect([answer.status, bodyOf(answer)["code"]]).toEqual([402, "processor_refused"]);
    expect(await cancel(setup, chargeId, "k")).toEqual({ ...answer, isRepeat: true });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
    expect(bodyOf(await setup.charge({}, "charge"))["status"]).toBe("succeeded");
  });

  test("if the processor refuses the void, the charge still waits, and can be voided with another key", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    const voided = bank.state.void;
    bank.state.void = async () => ({ kind: "refused", code: "try_later" });
    expect((await cancel(setup, chargeId, "k")).status).toBe(402);
    expect(await setup.charge({}, "charge")).toMatchObject({ status: 202, isRepeat: true });
    bank.state.void = voided;
    expect((await cancel(setup, chargeId)).status).toBe(200);
  });

  test("if the processor accepts no connection, the response is 503: the void's key is free, and the charge is unchanged", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    const voided = bank.state.void;
    bank.state.void = async () => ({ kind: "not_sent" });
    expect(await refusalOf(cancel(setup, chargeId, "k"))).toMatchObject({ kind: "unavailable" });
    expect(await setup.charge({}, "charge")).toMatchObject({ status: 202, isRepeat: true, chargeId });
    bank.state.void = voided;
    expect((await cancel(setup, chargeId, "k")).status).toBe(200);
  });

  test("a void with an unknown outcome is repeated, even if the payer has authorized in the meantime", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    bank.state.pay = async () => requiresAction;
    const { chargeId } = await setup.charge({ capture_method: "manual" }, "charge");
    const voided = bank.state.void;
    bank.state.void = async () => ({ kind: "unknown" });
    expect(await cancel(setup, chargeId, "k")).toMatchObject({ status: 202 });
    bank.state.lookup = async () => ({ kind: "authorized", processorRef: "pi" });
    await sendEvent(setup, chargeId);
    expect(await stateOf(chargeId)).toBe("authorized");
    expect(await setup.charge({ capture_method: "manual" }, "charge")).toMatchObject({ status: 201 });
    expect((await refusalOf(requestCapture(deps, { ...act(setup, chargeId), request: {} }))).code).toBe(
      "charge_in_use",
    );
    bank.state.void = voided;
    await reconcileAfter(60);
    expect(await stateOf(chargeId)).toBe("voided");
    expect(await cancel(setup, chargeId, "k")).toMatchObject({ status: 200, isRepeat: true });
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
  });

  test("a waiting charge can't be captured, and another merchant's charge isn't found", async () => {
    const [setup, other] = await Promise.all([makeChargeableMandate(deps, limits), makeChargeableMandate(deps)]);
    const chargeId = await waiting(setup);
    const capture = requestCapture(deps, { ...act(setup, chargeId), request: {} });
    expect(await refusalOf(capture)).toMatchObject({ kind: "conflict", code: "charge_not_authorized" });
    expect((await refusalOf(cancel(other, chargeId))).code).toBe("charge_not_found");
  });

  test("concurrent voids with many keys, a payment event, revocation and reconciliation have one outcome and break no invariant", async () => {
    for (let round = 0; round < 6; round += 1) {
      const setup = await makeChargeableMandate(deps, { ...limits, ...(round % 2 === 0 ? {} : { step_up_above: 1 }) });
      const chargeId = await waiting(setup);
      let isPaid = false;
      let isGivenUp = false;
      bank.state.void = async () => {
        if (isPaid) return { kind: "refused", code: "not_voidable" };
        isGivenUp = true;
        return { kind: "voided" };
      };
      bank.state.lookup = async () => {
        if (isGivenUp) return { kind: "voided", processorRef: "pi" };
        isPaid = true;
        return { kind: "succeeded", processorRef: "pi" };
      };
      const actor = { kind: "payer", id: setup.payer.id } as const;
      const keys = Array.from({ length: 8 }, (_, index) => `k${index % 4}`);
      const results = await Promise.allSettled([
        ...keys.map((key) => cancel(setup, chargeId, key)),
        sendEvent(setup, chargeId),
        revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" }),
      ]);
      const faults = results.filter((each) => each.status === "rejected" && !isDomainError(each.reason));
      expect(faults).toEqual([]);
      await reconcileAfter(60);
      const state = await stateOf(chargeId);
      expect(["voided", "succeeded"]).toContain(state);
      const used = state === "succeeded" ? 1_000n : 0n;
      expect(await setup.counters()).toMatchObject({ used, held: 0n, heldCount: 0n });
    }
  });
});

describe("3-D Secure without an answer (docs/spec/payments.md, Step-up: expires after 15 minutes)", () => {
  test("is voided at the processor and expires; the hold is released, the event is sent, and the answer is stored", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    await reconcileAfter(actionSeconds - 1);
    expect([await stateOf(chargeId), voids]).toEqual(["requires_action", []]);
    await reconcileAfter(1);
    expect([await stateOf(chargeId), voids.length]).toEqual(["expired", 1]);
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.requires_action", "charge.expired"]);
    const answer = await setup.charge({}, "charge");
    expect([answer.status, bodyOf(answer)["code"]]).toEqual([402, "expired"]);
  });

  test("a payment that the payer confirms at the last moment counts, because the processor's state decides, not our clock", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    bank.state.void = async () => ({ kind: "refused", code: "not_voidable" });
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi" });
    await reconcileAfter(actionSeconds);
    expect(await stateOf(chargeId)).toBe("succeeded");
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
  });

  test("if the outcome of the void is unknown, the hold is kept until the outcome is known, and the request is repeated under the same key", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const chargeId = await waiting(setup);
    const keys: string[] = [];
    bank.state.void = async ({ key }) => {
      keys.push(key);
      return keys.length < 3 ? { kind: "unknown" } : { kind: "voided" };
    };
    await reconcileAfter(actionSeconds);
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    await reconcileAfter(60);
    await reconcileAfter(60);
    expect([keys.length, new Set(keys).size, await stateOf(chargeId)]).toEqual([3, 1, "expired"]);
    expect(await setup.counters()).toMatchObject({ held: 0n });
  });
});
