import { describe, expect, test } from "vitest";
import type { PaymentOutcome, PaymentRequest, Processor } from "../deps/processor-port.ts";
import { createCircuitBreaker, withCircuitBreaker } from "./circuit-breaker.ts";
import { requestsFault } from "./simulator/server/behaviour.ts";

const setUp = () => {
  const state = { now: 1_000_000, sent: 0, outcome: { kind: "unknown" } as PaymentOutcome };
  const answer = async (): Promise<PaymentOutcome> => {
    state.sent += 1;
    return state.outcome;
  };
  const other = async () => {
    state.sent += 1;
    return { kind: "unknown" } as const;
  };
  const processor: Processor = withCircuitBreaker(
    {
      name: "simulator",
      capabilities: {
        separateCapture: true,
        partialCapture: true,
        refund: true,
        lookupByKey: true,
        webhooks: true,
        lateRefundFailures: false,
        currencies: null,
        amountSteps: {},
      },
      pay: answer,
      lookup: answer,
      ownAccount: { id: "acct_billing", pay: answer, lookup: answer },
      capture: other,
      void: other,
      refund: other,
      findRefund: other,
      findDispute: other,
      requestsFault,
      readEvent: () => null,
    },
    createCircuitBreaker(() => state.now),
  );
  return { state, processor };
};
const succeeded: PaymentOutcome = { kind: "succeeded", processorRef: "r" };
const request: PaymentRequest = {
  key: "k",
  chargeId: "c",
  account: "a",
  paymentMethodRef: "pm_card_visa",
  amountMinor: 1n,
  currency: "EUR",
  capture: "automatic",
  payerPresence: "in_session",
  simulate: null,
};
const operation = { key: "k", account: "a", reference: "r", amountMinor: 1n, currency: "EUR" };

/** @returns how many of the payments were sent to the processor. */
const payTimes = async ({ state, processor }: ReturnType<typeof setUp>, times: number, outcome: PaymentOutcome) => {
  const before = state.sent;
  state.outcome = outcome;
  for (let index = 0; index < times; index += 1) await processor.pay(request);
  return state.sent - before;
};

describe("the circuit breaker (docs/spec/payments.md, Processors)", () => {
  test("opens when 50% of at least 20 calls in 30 s fail, and then nothing is sent", async () => {
    const circuit = setUp();
    expect(await payTimes(circuit, 10, succeeded)).toBe(10);
    expect(await payTimes(circuit, 10, { kind: "unknown" })).toBe(10);
    expect(await payTimes(circuit, 5, succeeded)).toBe(0);
    expect(await circuit.processor.pay(request)).toEqual({ kind: "not_sent" });
    expect(await circuit.processor.capture(operation)).toEqual({ kind: "not_sent" });
    expect(await circuit.processor.void(operation)).toEqual({ kind: "not_sent" });
    expect(await circuit.processor.refund({ ...operation, chargeId: "chg_1", refundId: "rfd_1" })).toEqual({
      kind: "not_sent",
    });
  });

  test.each<[string, number, number]>([
    ["19 calls that all fail", 0, 19],
    ["calls of which less than half fail", 30, 29],
  ])("stays closed after %s", async (_, good, bad) => {
    const circuit = setUp();
    await payTimes(circuit, good, succeeded);
    await payTimes(circuit, bad, { kind: "not_sent" });
    expect(await payTimes(circuit, 1, succeeded)).toBe(1);
  });

  test("calls of more than 30 s ago don't count", async () => {
    const circuit = setUp();
    await payTimes(circuit, 15, { kind: "unknown" });
    circuit.state.now += 30_000;
    await payTimes(circuit, 15, { kind: "unknown" });
    expect(await payTimes(circuit, 1, succeeded)).toBe(1);
  });

  test("declines and requested faults don't count as failures", async () => {
    const circuit = setUp();
    const reason = { processorRef: "r", declineCode: "lost_card", retryable: false, advice: "No." };
    await payTimes(circuit, 40, { kind: "declined", ...reason });
    circuit.state.outcome = { kind: "unknown" };
    for (let index = 0; index < 60; index += 1) {
      await circuit.processor.pay({ ...request, simulate: "timeout_after_accept" });
      await circuit.processor.pay({ ...request, paymentMethodRef: "pm_sim_timeout_before_accept" });
    }
    expect(await payTimes(circuit, 1, succeeded)).toBe(1);
  });

  test("an unknown fault name requests no fault, and the call counts", async () => {
    const circuit = setUp();
    circuit.state.outcome = { kind: "unknown" };
    for (let index = 0; index < 20; index += 1) await circuit.processor.pay({ ...request, simulate: "order 4711" });
    expect(await payTimes(circuit, 1, succeeded)).toBe(0);
  });

  test("failures of a merchant's own account don't count", async () => {
    const circuit = setUp();
    await payTimes(circuit, 60, { kind: "not_sent", isAccountFault: true });
    expect(await payTimes(circuit, 1, succeeded)).toBe(1);
    await payTimes(circuit, 20, { kind: "unknown" });
    circuit.state.now += 5_000;
    await payTimes(circuit, 1, { kind: "not_sent", isAccountFault: true });
    expect(await payTimes(circuit, 1, succeeded)).toBe(0);
  });

  test("admits one call after 5 s: if this call fails, the breaker stays open; if it succeeds, the breaker closes", async () => {
    const circuit = setUp();
    await payTimes(circuit, 20, { kind: "unknown" });
    circuit.state.now += 4_999;
    expect(await payTimes(circuit, 3, succeeded)).toBe(0);
    circuit.state.now += 1;
    expect(await payTimes(circuit, 3, { kind: "unknown" })).toBe(1);
    circuit.state.now += 5_000;
    expect(await payTimes(circuit, 1, succeeded)).toBe(1);
    expect(await payTimes(circuit, 19, { kind: "unknown" })).toBe(19);
  });

  test("applies to payments to our own account, but not to their look-ups", async () => {
    const { processor, state } = setUp();
    const { key, paymentMethodRef, amountMinor, currency } = request;
    const own = { key, paymentMethodRef, amountMinor, currency };
    for (let index = 0; index < 20; index += 1) await processor.ownAccount?.pay(own);
    expect([await processor.ownAccount?.pay(own), state.sent]).toEqual([{ kind: "not_sent" }, 20]);
    state.outcome = succeeded;
    expect(await processor.ownAccount?.lookup({ ...own, reference: null })).toEqual(succeeded);
    expect(await processor.ownAccount?.pay(own)).toEqual(succeeded);
  });

  test("look-ups are sent while the breaker is open, and a successful look-up closes it", async () => {
    const circuit = setUp();
    await payTimes(circuit, 20, { kind: "unknown" });
    circuit.state.outcome = succeeded;
    const lookup = { key: "k", chargeId: "c", account: "a", reference: null, amountMinor: 1n, currency: "EUR" };
    expect(await circuit.processor.lookup(lookup)).toEqual(succeeded);
    expect(await payTimes(circuit, 1, succeeded)).toBe(1);
  });
});
