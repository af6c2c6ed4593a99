import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql } from "../../data/client.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { NoTurn } from "../../data/turns.ts";
import { declineCharge } from "../approvals/decline-charge.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { reconcileDueRefunds } from "../refunds/perform-refund.ts";
import { requestCapture, requestRefund, requestVoid } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "./charge-setup.fixture.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
/** How many more times a caller can get a turn, which locks a mandate. After that, each attempt fails. */
let turnsLeft: number;
const errors: string[] = [];
beforeAll(async () => {
  const real = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
  const turn =
    (take: typeof real.db.inSharedTurn): typeof real.db.inSharedTurn =>
    (key, work, how) => {
      turnsLeft -= 1;
      return turnsLeft < 0 ? Promise.reject(new NoTurn()) : take(key, work, how);
    };
  const db = { ...real.db, inTurn: turn(real.db.inTurn), inSharedTurn: turn(real.db.inSharedTurn) };
  deps = { ...real, db, log: { ...real.log, error: (_, message) => errors.push(message) } };
});
beforeEach(() => {
  bank = scriptedProcessor();
  turnsLeft = Number.POSITIVE_INFINITY;
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  // Work that is left to the reconciler is logged as a warning.
  expect(errors).toEqual([]);
  await deps.close();
});

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

const statusIn = ({ body }: { body: string }): unknown => JSON.parse(body).status;
const by = ({ merchant, merchantClient }: Setup, chargeId: string, idempotencyKey = "k") => ({
  merchantId: merchant.id,
  clientId: merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey,
});
/** Allows this number of turns while `work` runs. */
const whileBusy = async <T>(turns: number, work: () => Promise<T>): Promise<T> => {
  turnsLeft = turns;
  try {
    return await work();
  } finally {
    turnsLeft = Number.POSITIVE_INFINITY;
  }
};
const reconcileAfter = async (seconds: number) => {
  deps.clock.advance(seconds);
  await reconcileDueCharges(deps, { limit: 100 });
  await reconcileDueRefunds(deps, { limit: 100 });
};

describe("a mandate whose queue is full (docs/spec/payments.md, Charge responses)", () => {
  test("if a charge can't be reserved, the response is 503: nothing is sent, and the key is free", async () => {
    const setup = await makeChargeableMandate(deps);
    const refusal = await refusalOf(whileBusy(0, () => setup.charge({}, "c")));
    expect(refusal).toMatchObject({ kind: "unavailable", code: "processor_unavailable" });
    expect(bank.state.calls).toBe(0);
    expect(await setup.charge({}, "c")).toMatchObject({ status: 201, isRepeat: false });
  });

  test("if a decline can't be recorded, the response is 202, the hold is kept, and the reconciler records the decline", async () => {
    const setup = await makeChargeableMandate(deps);
    const advice = { retryable: true, advice: "Later." };
    const declined = { kind: "declined", processorRef: "r", declineCode: "insufficient_funds", ...advice } as const;
    bank.state.pay = async () => declined;
    bank.state.lookup = async () => declined;
    const answer = await whileBusy(1, () => setup.charge({}, "c"));
    expect([answer.status, statusIn(answer)]).toEqual([202, "unknown"]);
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    await reconcileAfter(13);
    expect(await setup.charge({}, "c")).toMatchObject({ status: 402, isRepeat: true });
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
  });

  test("if the processor accepts no connection and this result can't be recorded, the response is 202, because the charge may still be sent", async () => {
    const setup = await makeChargeableMandate(deps);
    const { pay } = bank.state;
    bank.state.capabilities = { ...bank.state.capabilities, lookupByKey: false };
    bank.state.pay = async () => ({ kind: "not_sent" });
    const answer = await whileBusy(1, () => setup.charge({}, "c"));
    expect([answer.status, statusIn(answer)]).toEqual([202, "unknown"]);
    bank.state.pay = pay;
    await reconcileAfter(13);
    expect(await setup.charge({}, "c")).toMatchObject({ status: 201, isRepeat: true, chargeId: answer.chargeId });
    expect(bank.moved.size).toBe(1);
  });

  test("after a crash, a repeat with the same key returns the current state, whether or not that state can be recorded", async () => {
    const setup = await makeChargeableMandate(deps);
    const { pay } = bank.state;
    bank.state.pay = async (request) => {
      await pay(request);
      throw new Error("crashed");
    };
    await expect(setup.charge({}, "c")).rejects.toThrow("crashed");
    deps.clock.advance(31);
    const answer = await whileBusy(0, () => setup.charge({}, "c"));
    expect([answer.status, statusIn(answer), answer.isRepeat]).toEqual([202, "unknown", true]);
    await reconcileAfter(0);
    expect(await setup.charge({}, "c")).toMatchObject({ status: 201, isRepeat: true });
  });

  test.each(["capture", "void"] as const)(
    "a %s that was performed gets 202 until the result is recorded, then 200",
    async (kind) => {
      const setup = await makeChargeableMandate(deps);
      const { chargeId } = await setup.charge({ capture_method: "manual" });
      const act = () =>
        kind === "capture"
          ? requestCapture(deps, { ...by(setup, chargeId), request: {} })
          : requestVoid(deps, by(setup, chargeId));
      const answer = await whileBusy(0, act);
      expect([answer.status, statusIn(answer)]).toEqual([202, "authorized"]);
      await reconcileAfter(13);
      expect(await act()).toMatchObject({ status: 200, isRepeat: true });
      expect(await setup.counters()).toMatchObject({ held: 0n, used: kind === "capture" ? 1_000n : 0n });
    },
  );

  test("a refund that was made is pending until its result is recorded", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    const doRefund = () => requestRefund(deps, { ...by(setup, chargeId), request: {} });
    expect(statusIn(await whileBusy(0, doRefund))).toBe("pending");
    await reconcileAfter(13);
    expect(statusIn(await doRefund())).toBe("succeeded");
  });

  test("if a refund wasn't sent and this result can't be recorded, the response is 409, because the reconciler may still make the refund; it is made once", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    const { refund } = bank.state;
    const sent = new Set<string>();
    bank.state.refund = async () => ({ kind: "not_sent" });
    const doRefund = () => requestRefund(deps, { ...by(setup, chargeId), request: {} });
    expect((await refusalOf(whileBusy(0, doRefund))).code).toBe("idempotency_key_in_use");
    bank.state.refund = async (request) => {
      sent.add(request.key);
      return refund(request);
    };
    await reconcileAfter(31);
    expect([statusIn(await doRefund()), sent.size]).toEqual(["succeeded", 1]);
  });

  test("if a capture wasn't sent and this result can't be recorded, the response is 409, and the reconciler performs the capture under the same key", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    bank.state.capture = async () => ({ kind: "not_sent" });
    let isClaimed = false;
    const { sqlTransaction } = deps.db;
    const failSecond = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
      if (isClaimed) throw new Error("Connection terminated unexpectedly");
      isClaimed = true;
      return sqlTransaction(work);
    };
    const failing = { ...deps, db: { ...deps.db, sqlTransaction: failSecond } };
    const doCapture = (on: TestDeps) => requestCapture(on, { ...by(setup, chargeId), request: {} });
    expect((await refusalOf(doCapture(failing))).code).toBe("idempotency_key_in_use");
    bank.state.capture = async () => ({ kind: "captured" });
    await reconcileAfter(31);
    expect(await doCapture(deps)).toMatchObject({ status: 200, isRepeat: true });
  });

  test("a void or a decline of a waiting charge gets 503; the charge keeps waiting, and both may be tried again", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    const { chargeId } = await setup.charge();
    expect(await refusalOf(whileBusy(0, () => requestVoid(deps, by(setup, chargeId))))).toMatchObject({
      kind: "unavailable",
    });
    const decline = () => declineCharge(deps, { chargeId, payerId: setup.payer.id, requestId: "r" });
    expect(await refusalOf(whileBusy(0, decline))).toMatchObject({
      kind: "unavailable",
      code: "processor_unavailable",
    });
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    expect((await decline()).state).toBe("declined");
  });
});
