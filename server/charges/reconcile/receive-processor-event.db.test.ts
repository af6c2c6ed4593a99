import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import type { ProcessorEvent, RefundOutcome } from "../../deps/processor-port.ts";
import { requestCapture, requestRefund, requestVoid } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { listContradictions } from "../review/list-contradictions.ts";
import { receiveProcessorEvent } from "./receive-processor-event.ts";
import { reconcileDueCharges } from "./reconcile-due-charges.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
  // Contradictions of the scripted processor are logged as errors.
  deps.log = { ...deps.log, error() {} };
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const unknownCharge = async () => {
  const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
  const pay = bank.state.pay;
  bank.state.pay = async (request) => {
    await pay(request);
    return { kind: "unknown" };
  };
  const { chargeId } = await setup.charge();
  const event: ProcessorEvent = {
    id: "evt",
    type: "payment.succeeded",
    about: "payment",
    reference: `ref_${chargeId}`,
    account: `acct_${setup.merchant.id}`,
    chargeId,
  };
  return { setup, chargeId, event };
};
const receive = (event: ProcessorEvent, processor = "simulator") =>
  receiveProcessorEvent(deps, { processor, event, requestId: "req_event" });
const rowOf = (id: string) => deps.db.prisma.charge.findFirstOrThrow({ where: { id } });
const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);

describe("events of a processor (docs/spec/payments.md, Reconciliation)", () => {
  test("settle an unknown charge once: the amount counts as used, and the charge is reported as reconciled and audited", async () => {
    const { setup, chargeId, event } = await unknownCharge();
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    await Promise.all(Array.from({ length: 8 }, () => receive(event)));
    await receive(event);
    expect(await rowOf(chargeId)).toMatchObject({
      state: "succeeded",
      processorRef: `ref_${chargeId}`,
      nextLookupAt: null,
    });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
    expect(await eventsOf(chargeId)).toEqual(["charge.unknown", "charge.succeeded", "charge.reconciled"]);
    const audited = await deps.db.prisma.$queryRaw`SELECT actor_kind, actor_id FROM audit_entry
      WHERE subject_id = ${chargeId} AND action = 'charge.succeeded'`;
    expect(audited).toMatchObject([{ actor_kind: "system", actor_id: "processor" }]);
  });

  test("are never trusted: the processor is queried, and its answer counts", async () => {
    const { setup, chargeId, event } = await unknownCharge();
    for (const outcome of [{ kind: "not_found" }, { kind: "unknown" }, { kind: "not_sent" }] as const) {
      bank.state.lookup = async () => outcome;
      await receive(event);
      expect(await rowOf(chargeId)).toMatchObject({ state: "unknown", notFoundAt: null });
    }
    const declined = { declineCode: "lost_card", retryable: false, advice: "No." };
    bank.state.lookup = async () => ({ kind: "declined", processorRef: "r", ...declined });
    await receive(event);
    expect(await rowOf(chargeId)).toMatchObject({ state: "declined", declineCode: "lost_card" });
    expect(await setup.counters()).toMatchObject({ used: 0n, held: 0n });
  });

  test("change nothing if they name another account, another processor or an unknown charge", async () => {
    const { chargeId, event } = await unknownCharge();
    bank.state.lookup = async () => {
      throw new Error("no look-up expected: the event isn't about this charge");
    };
    await receive({ ...event, account: "acct_other" });
    await receive(event, "stripe");
    await receive({ ...event, chargeId: "chg_unknown" });
    expect(await rowOf(chargeId)).toMatchObject({ state: "unknown" });
  });

  test("settle the charge even if they arrive before the response to our call, and our answer is the same", async () => {
    const setup = await makeChargeableMandate(deps);
    const pay = bank.state.pay;
    bank.state.pay = async (request) => {
      const outcome = await pay(request);
      const { chargeId, account } = request;
      const reference = `ref_${chargeId}`;
      await receive({ id: "evt", type: "payment.succeeded", about: "payment", reference, account, chargeId });
      expect(await rowOf(chargeId)).toMatchObject({ state: "succeeded" });
      return outcome;
    };
    const answer = await setup.charge();
    expect(answer.status).toBe(201);
    expect(await eventsOf(answer.chargeId)).toEqual(["charge.succeeded"]);
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
  });
});

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
const eventAbout = (setup: Setup, chargeId: string, about: "payment" | "refund" = "payment"): ProcessorEvent => ({
  id: "evt",
  type: `${about}.changed`,
  about,
  reference: `ref_${chargeId}`,
  account: `acct_${setup.merchant.id}`,
  chargeId,
});
const act = (setup: Setup, chargeId: string, idempotencyKey: string) => ({
  merchantId: setup.merchant.id,
  clientId: setup.merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey,
});
const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);

describe("events about authorized charges (docs/spec/payments.md, Charge states)", () => {
  const authorize = async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    const capture = (amount: number, key = "k") =>
      requestCapture(deps, { ...act(setup, chargeId, key), request: { amount } });
    return { setup, chargeId, capture, event: eventAbout(setup, chargeId) };
  };

  test("settle a capture with an unknown outcome once, with the processor's amount; the answer is stored under the capture's key", async () => {
    const { setup, chargeId, capture, event } = await authorize();
    bank.state.capture = async () => ({ kind: "unknown" });
    expect((await capture(600)).status).toBe(202);
    bank.state.lookup = async () => ({ kind: "captured", processorRef: "r", amountMinor: 600n });
    await Promise.all(Array.from({ length: 6 }, () => receive(event)));
    await receive(event);
    const kept = await capture(600);
    expect(kept).toMatchObject({ status: 200, isRepeat: true });
    expect(bodyOf(kept)).toMatchObject({ status: "partially_captured", amount_captured: 600 });
    expect(await setup.counters()).toMatchObject({ used: 600n, held: 0n, usedCount: 1n, heldCount: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.authorized", "charge.captured"]);
  });

  test("settle a capture once even if they arrive before the response to our request, and our answer is the same", async () => {
    const { setup, chargeId, capture, event } = await authorize();
    bank.state.lookup = async () => ({ kind: "captured", processorRef: "r", amountMinor: 600n });
    bank.state.capture = async () => {
      await receive(event);
      return { kind: "captured" };
    };
    const answer = await capture(600);
    expect([answer.status, bodyOf(answer)["amount_captured"]]).toEqual([200, 600]);
    expect(await capture(600)).toEqual({ ...answer, isRepeat: true });
    expect(await eventsOf(chargeId)).toEqual(["charge.authorized", "charge.captured"]);
    expect(await setup.counters()).toMatchObject({ used: 600n, held: 0n });
  });

  test("a capture or void made at the processor itself is recorded", async () => {
    const captured = await authorize();
    bank.state.lookup = async () => ({ kind: "captured", processorRef: "r", amountMinor: 1_000n });
    await receive(captured.event);
    expect(await rowOf(captured.chargeId)).toMatchObject({ state: "captured", amountCaptured: 1_000n });
    const voided = await authorize();
    bank.state.lookup = async () => ({ kind: "voided", processorRef: "r" });
    await receive(voided.event);
    expect(await rowOf(voided.chargeId)).toMatchObject({ state: "voided" });
    expect(await voided.setup.counters()).toMatchObject({ used: 0n, held: 0n, heldCount: 0n });
    // A late event about an earlier state changes nothing.
    bank.state.lookup = async () => ({ kind: "authorized", processorRef: "r" });
    await receive(voided.event);
    expect(await rowOf(voided.chargeId)).toMatchObject({ state: "voided" });
  });

  test("a capture after a void at the processor is refused, and the refusal is stored under the capture's key", async () => {
    const { capture, event, chargeId } = await authorize();
    bank.state.capture = async () => ({ kind: "unknown" });
    await capture(600);
    bank.state.lookup = async () => ({ kind: "voided", processorRef: "r" });
    await receive(event);
    const kept = await capture(600);
    expect([kept.status, bodyOf(kept)["code"], bodyOf(kept)["decline_code"]]).toEqual([
      402,
      "processor_refused",
      "charge_voided",
    ]);
    expect(await rowOf(chargeId)).toMatchObject({ state: "voided" });
  });

  test("a capture that is refused because it was already done is settled as done", async () => {
    const { capture, setup } = await authorize();
    bank.state.capture = async () => ({ kind: "refused", code: "payment_intent_unexpected_state" });
    bank.state.lookup = async () => ({ kind: "captured", processorRef: "r", amountMinor: 700n });
    const answer = await capture(700);
    expect([answer.status, bodyOf(answer)["amount_captured"]]).toEqual([200, 700]);
    expect(await setup.counters()).toMatchObject({ used: 700n, held: 0n });
  });

  test("an unknown charge that was authorized and captured in the meantime gets both transitions", async () => {
    const { chargeId, event, setup } = await unknownCharge();
    bank.state.lookup = async () => ({ kind: "captured", processorRef: "r", amountMinor: 400n });
    await receive(event);
    expect(await rowOf(chargeId)).toMatchObject({ state: "partially_captured", amountCaptured: 400n });
    expect(await setup.counters()).toMatchObject({ used: 400n, held: 0n });
    expect(await eventsOf(chargeId)).toEqual([
      "charge.unknown",
      "charge.authorized",
      "charge.reconciled",
      "charge.captured",
    ]);
  });
});

describe("events for which the processor can't be queried (docs/adr/035-processor-events-as-signals.md)", () => {
  const silences = ["unknown", "not_sent"] as const;
  const unavailable = { kind: "unavailable", code: "processor_unavailable" };
  type Made = { setup: Setup; chargeId: string };
  const makeAuthorized = async (): Promise<Made> => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    return { setup, chargeId };
  };
  const makeDeclined = async (): Promise<Made> => {
    const declined = { declineCode: "generic_decline", retryable: false, advice: "No." };
    bank.state.pay = async () => ({ kind: "declined", processorRef: null, ...declined });
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    return { setup, chargeId };
  };
  const makeVoided = async (): Promise<Made> => {
    const made = await makeAuthorized();
    await requestVoid(deps, act(made.setup, made.chargeId, "void"));
    return made;
  };
  const makeExpired = async (): Promise<Made> => {
    const made = await makeAuthorized();
    deps.clock.advance(8 * 24 * 3_600);
    await reconcileDueCharges(deps, { limit: 100 });
    return made;
  };

  test.each([
    ["declined", makeDeclined],
    ["voided", makeVoided],
    ["expired", makeExpired],
  ])(
    "are refused for a charge that is %s, so that they are sent again: no job looks the charge up later",
    async (state, make) => {
      const { setup, chargeId } = await make();
      const event = eventAbout(setup, chargeId);
      for (const kind of silences) {
        bank.state.lookup = async () => ({ kind });
        expect(await refusalOf(receive(event))).toMatchObject(unavailable);
      }
      let lookups = 0;
      bank.state.lookup = async (lookup) => {
        if (lookup.chargeId !== chargeId) return { kind: "unknown" };
        lookups += 1;
        return { kind: "captured", processorRef: `ref_${chargeId}`, amountMinor: 1_000n };
      };
      deps.clock.advance(60 * 24 * 3_600);
      await reconcileDueCharges(deps, { limit: 100 });
      expect([lookups, await listContradictions(deps, { chargeId })]).toEqual([0, []]);
      await receive(event);
      expect(await listContradictions(deps, { chargeId })).toMatchObject([
        { about: "payment", reported: "captured", amount: 1_000n, chargeState: state },
      ]);
    },
  );

  test("are refused for an authorized charge, which is looked up only when it expires", async () => {
    const { setup, chargeId } = await makeAuthorized();
    for (const kind of silences) {
      bank.state.lookup = async () => ({ kind });
      expect(await refusalOf(receive(eventAbout(setup, chargeId)))).toMatchObject(unavailable);
    }
    expect(await rowOf(chargeId)).toMatchObject({ state: "authorized" });
    bank.state.lookup = async () => ({ kind: "captured", processorRef: `ref_${chargeId}`, amountMinor: 1_000n });
    await receive(eventAbout(setup, chargeId));
    expect(await rowOf(chargeId)).toMatchObject({ state: "captured" });
  });
});

describe("events about refunds (docs/spec/payments.md, Refunds)", () => {
  const refunding = async (outcome: RefundOutcome) => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000, refund_policy: "restore" });
    const { chargeId } = await setup.charge();
    bank.state.refund = async () => outcome;
    const refund = (key = "k") => requestRefund(deps, { ...act(setup, chargeId, key), request: { amount: 300 } });
    const made = bodyOf(await refund());
    return { setup, chargeId, refund, made, event: eventAbout(setup, chargeId, "refund") };
  };

  test.each<[string, RefundOutcome]>([
    ["pending", { kind: "pending", refundRef: "re_1" }],
    ["of unknown outcome", { kind: "unknown" }],
  ])(
    "a refund that is %s is settled once by its event: the limits, the stored answer and the events change once",
    async (_name, outcome) => {
      const { setup, chargeId, refund, made, event } = await refunding(outcome);
      expect(made["status"]).toBe("pending");
      bank.state.refund = () => Promise.reject(new Error("no refund request expected"));
      bank.state.findRefund = async () => ({ kind: "pending", refundRef: "re_1" });
      await receive(event);
      expect(await setup.counters()).toMatchObject({ used: 1_000n });
      bank.state.findRefund = async ({ refundId }) => ({ kind: "succeeded", refundRef: `re_${refundId}` });
      await Promise.all(Array.from({ length: 6 }, () => receive(event)));
      expect(await setup.counters()).toMatchObject({ used: 700n, usedCount: 1n });
      expect(await eventsOf(String(made["id"]))).toEqual(["refund.succeeded"]);
      expect(await rowOf(chargeId)).toMatchObject({ amountRefunded: 300n, amountRefunding: 0n });
      expect(bodyOf(await refund())).toMatchObject({ id: made["id"], status: "succeeded" });
      bank.state.findRefund = () => Promise.reject(new Error("no look-up expected: it is settled"));
      await receive(event);
    },
  );

  test("a failed refund releases its amount and doesn't change the caps", async () => {
    const { setup, chargeId, made, event } = await refunding({ kind: "pending", refundRef: "re_1" });
    bank.state.findRefund = async () => ({ kind: "failed", refundRef: "re_1", code: "expired_or_canceled_card" });
    await receive(event);
    expect(await eventsOf(String(made["id"]))).toEqual(["refund.failed"]);
    expect(await rowOf(chargeId)).toMatchObject({ state: "succeeded", amountRefunded: 0n, amountRefunding: 0n });
    expect(await setup.counters()).toMatchObject({ used: 1_000n });
    const audited = await deps.db.prisma.$queryRaw`SELECT actor_id FROM audit_entry
      WHERE subject_id = ${made["id"]} AND action = 'refund.failed'`;
    expect(audited).toEqual([{ actor_id: "processor" }]);
  });

  test("settle a refund once even if they arrive before the response to our call, and our answer is the same", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000, refund_policy: "restore" });
    const { chargeId } = await setup.charge();
    bank.state.refund = async () => {
      await receive(eventAbout(setup, chargeId, "refund"));
      return { kind: "succeeded", refundRef: "re_1" };
    };
    bank.state.findRefund = async () => ({ kind: "succeeded", refundRef: "re_1" });
    const made = bodyOf(await requestRefund(deps, { ...act(setup, chargeId, "k"), request: { amount: 300 } }));
    expect(made["status"]).toBe("succeeded");
    expect(await eventsOf(String(made["id"]))).toEqual(["refund.succeeded"]);
    expect(await setup.counters()).toMatchObject({ used: 700n });
  });

  test("change nothing if they name another account", async () => {
    const { made, event } = await refunding({ kind: "pending", refundRef: "re_1" });
    bank.state.findRefund = () => Promise.reject(new Error("no look-up expected"));
    await receive({ ...event, account: "acct_other" });
    expect(await eventsOf(String(made["id"]))).toEqual([]);
  });
});
