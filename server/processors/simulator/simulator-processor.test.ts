import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaymentRequest } from "../../deps/processor-port.ts";
import { testProcessorContract } from "../contract.fixture.ts";
import { type Simulator, startSimulator } from "./server/server.ts";
import { createSimulatorProcessor } from "./simulator-processor.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const key = "test-key";
let dataDirectory: string;
let simulator: Simulator;
const start = () => startSimulator({ port: 0, dataDirectory, key, webhookUrl: null, log, latency: [0, 3] });
beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), "simulator-"));
  simulator = await start();
});
afterAll(async () => {
  await simulator.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

/** A long time-out, so that a busy machine causes no failure. Tests of time-outs set their own. */
const processor = (options: { key?: string; url?: string; connectMs?: number; totalMs?: number } = {}) =>
  createSimulatorProcessor({
    url: `http://127.0.0.1:${simulator.port}`,
    key,
    connectMs: 10_000,
    totalMs: 20_000,
    ...options,
  });
const impatient = () => processor({ totalMs: 2_000 });

let count = 0;
const request = (change: Partial<PaymentRequest> = {}): PaymentRequest => {
  count += 1;
  return {
    key: `key_${count}`,
    chargeId: `chg_${count}`,
    account: "acct_1",
    paymentMethodRef: "pm_card_visa",
    amountMinor: 1_000n,
    currency: "EUR",
    capture: "automatic",
    payerPresence: "in_session",
    simulate: null,
    ...change,
  };
};

const lookupOf = (payment: PaymentRequest) => ({ ...payment, reference: null });

/** The moved money according to the simulator's own records. */
const movedOf = async (account: string): Promise<object[]> => {
  const url = `http://127.0.0.1:${simulator.port}/v1/payments?account=${account}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: object[] };
  return data;
};

const control = async (address: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { authorization: `Bearer ${key}` };
  const url = `http://127.0.0.1:${simulator.port}/control/${address}`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { httpStatus: response.status, ...((await response.json()) as object) };
};

describe("the simulator through its adapter (docs/spec/payments.md, Simulator)", () => {
  testProcessorContract(() => ({
    processor: (totalMs = 20_000) => processor({ totalMs }),
    unreachable: () => processor({ url: "http://127.0.0.1:9" }),
    unknownKey: () => processor({ key: "other" }),
    keep: (card) => card,
    async plan(fault) {
      await control("faults", { fault });
    },
    async dispute(account, charge_id, amount) {
      return String((await control("disputes", { account, charge_id, amount }))["id"]);
    },
    async closeDispute(account, id, status) {
      await control(`disputes/${id}/close`, { account, status });
    },
    async moved(account) {
      const payments = (await movedOf(account)) as {
        status: string;
        amount_captured: number;
        amount_refunded: number;
      }[];
      return payments.map((payment) => ({
        captured: payment.amount_captured,
        refunded: payment.amount_refunded,
        released: payment.status === "voided",
      }));
    },
  }));

  test.each([
    ["pm_card_visa", null],
    ["pm_card_mastercard", null],
    ["pm_card_chargeDeclined", "generic_decline"],
    ["pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"],
    ["pm_card_visa_chargeDeclinedLostCard", "lost_card"],
    ["pm_card_unheard_of", "invalid_payment_method"],
  ])("%s", async (paymentMethodRef, declineCode) => {
    const outcome = await processor().pay(request({ paymentMethodRef }));
    expect(outcome).toMatchObject(declineCode === null ? { kind: "succeeded" } : { kind: "declined", declineCode });
  });

  test("a method that needs authentication requests it from a payer in session, and declines without one", async () => {
    const paymentMethodRef = "pm_card_authenticationRequired";
    expect(await processor().pay(request({ paymentMethodRef, payerPresence: "off_session" }))).toMatchObject({
      kind: "declined",
      declineCode: "authentication_required",
      retryable: true,
    });
    const payment = request({ paymentMethodRef });
    const outcome = await processor().pay(payment);
    if (outcome.kind !== "requires_action") throw new Error(outcome.kind);
    expect(await (await fetch(outcome.actionUrl)).text()).toContain("Confirm this payment");
    await fetch(outcome.actionUrl, { method: "POST", body: new URLSearchParams({ result: "confirm" }) });
    expect(await processor().lookup(lookupOf(payment))).toMatchObject({
      kind: "succeeded",
      processorRef: outcome.processorRef,
    });
  });

  test("30 concurrent requests with one key move money once; another body under the key is refused", async () => {
    const wanted = request({ account: "acct_once" });
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => processor().pay(wanted)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await processor().pay({ ...wanted, amountMinor: 2_000n })).toEqual({ kind: "unknown" });
    expect(await movedOf("acct_once")).toMatchObject([{ key: wanted.key, status: "succeeded", amount: 1_000 }]);
  });

  test("simulate can request any decline code", async () => {
    expect(await processor().pay(request({ simulate: "decline:stolen_card" }))).toMatchObject({
      declineCode: "stolen_card",
    });
  });

  test("if a call times out before it is accepted, the outcome is unknown, and the payment doesn't exist", async () => {
    const lost = request({ simulate: "timeout_before_accept" });
    expect(await impatient().pay(lost)).toEqual({ kind: "unknown" });
    expect(await processor().lookup(lookupOf(lost))).toEqual({ kind: "not_found" });
  });

  test("if a call times out after it was accepted, the outcome is unknown, and the payment exists", async () => {
    const late = request({ simulate: "timeout_after_accept" });
    expect(await impatient().pay(late)).toEqual({ kind: "unknown" });
    expect(await processor().lookup(lookupOf(late))).toMatchObject({ kind: "succeeded" });
  });

  test("simulated time-outs don't use up the connections for other payments", async () => {
    const shared = processor({ connectMs: 5_000, totalMs: 8_000 });
    const hanging = Array.from({ length: 260 }, () => shared.pay(request({ simulate: "timeout_before_accept" })));
    expect(await shared.pay(request())).toMatchObject({ kind: "succeeded" });
    await Promise.all(hanging);
  });

  test("after an error, a call is repeated once under the same key", async () => {
    const wanted = request({ simulate: "error_once", account: "acct_error" });
    expect(await processor().pay(wanted)).toMatchObject({ kind: "succeeded" });
    expect(await movedOf("acct_error")).toHaveLength(1);
  });

  test("if the connection or the API key is refused, the outcome is not_sent", async () => {
    expect(await processor({ url: "http://127.0.0.1:9" }).pay(request())).toEqual({ kind: "not_sent" });
    expect(await processor({ key: "other" }).pay(request())).toEqual({ kind: "not_sent" });
    expect(await processor({ url: "http://127.0.0.1:9" }).lookup(lookupOf(request()))).toEqual({ kind: "unknown" });
  });

  test("if the connection breaks before the response, the outcome is unknown, never not_sent", async () => {
    const breaking = createServer((socket) => socket.once("data", () => socket.destroy())).listen(0, "127.0.0.1");
    await new Promise((resolve) => breaking.once("listening", resolve));
    const address = breaking.address();
    const port = address && typeof address === "object" ? address.port : 0;
    expect(await processor({ url: `http://127.0.0.1:${port}` }).pay(request())).toEqual({ kind: "unknown" });
    breaking.close();
  });

  test("an account sees only its own payments", async () => {
    const mine = request({ account: "acct_mine" });
    await processor().pay(mine);
    expect(await processor().lookup(lookupOf({ ...mine, account: "acct_other" }))).toEqual({ kind: "not_found" });
    expect(await movedOf("acct_other")).toEqual([]);
  });

  test("keeps accepted payments after a restart", async () => {
    const kept = request({ account: "acct_kept" });
    await processor().pay(kept);
    await simulator.close();
    simulator = await start();
    expect(await processor().lookup(lookupOf(kept))).toMatchObject({ kind: "succeeded" });
    expect(await processor().pay(kept)).toMatchObject({ kind: "succeeded" });
    expect(await movedOf("acct_kept")).toHaveLength(1);
  });

  const refOf = async (change: Partial<PaymentRequest>): Promise<string> => {
    const outcome = await processor().pay(request(change));
    if (!("processorRef" in outcome) || outcome.processorRef === null) throw new Error(outcome.kind);
    return outcome.processorRef;
  };
  const own = { account: "acct_1", currency: "EUR" } as const;

  test("captures an authorized payment once, in part, and releases the rest", async () => {
    const reference = await refOf({ capture: "manual", account: "acct_capture" });
    const capture = (key: string, amountMinor: bigint) =>
      processor().capture({ ...own, account: "acct_capture", key, reference, amountMinor });
    expect(await capture("cap_0", 1_001n)).toEqual({ kind: "refused", code: "amount_too_large" });
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => capture("cap_1", 600n)));
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: "captured" })));
    expect(await capture("cap_2", 400n)).toEqual({ kind: "refused", code: "not_capturable" });
    expect(await processor().void({ account: "acct_capture", key: "void_1", reference })).toMatchObject({
      code: "not_voidable",
    });
    expect(await movedOf("acct_capture")).toMatchObject([{ status: "succeeded", amount: 1_000, amount_captured: 600 }]);
  });

  test("voids an authorized payment, which can't be captured afterwards", async () => {
    const reference = await refOf({ capture: "manual" });
    const voided = () => processor().void({ account: "acct_1", key: `void_${reference}`, reference });
    expect([await voided(), await voided()]).toEqual([{ kind: "voided" }, { kind: "voided" }]);
    expect(await processor().capture({ ...own, key: "cap_v", reference, amountMinor: 1n })).toEqual({
      kind: "refused",
      code: "not_capturable",
    });
  });

  test("refunds never exceed the captured amount, and one key refunds once", async () => {
    const account = "acct_refund";
    const reference = await refOf({ account });
    const refund = (key: string, amountMinor: bigint) =>
      processor().refund({ account, currency: "EUR", key, reference, amountMinor, chargeId: "c", refundId: key });
    const same = await Promise.all([1, 2, 3].map(() => refund("ref_a", 300n)));
    expect(new Set(same.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(same[0]).toMatchObject({ kind: "succeeded" });
    const rest = await Promise.all(Array.from({ length: 10 }, (_, index) => refund(`ref_${index}`, 100n)));
    expect(rest.filter((outcome) => outcome.kind === "succeeded")).toHaveLength(7);
    expect(rest.filter((outcome) => outcome.kind === "refused")).toHaveLength(3);
    expect(await movedOf(account)).toMatchObject([{ amount_captured: 1_000, amount_refunded: 1_000 }]);
  });

  test("refunds to one of Stripe's test methods fail, and refunds to another one are pending at first", async () => {
    const ids = { chargeId: "chg_1", refundId: "rfd_1" };
    const failing = await refOf({ paymentMethodRef: "pm_card_refundFail" });
    expect(
      await processor().refund({ ...own, ...ids, key: "ref_f", reference: failing, amountMinor: 5n }),
    ).toMatchObject({
      kind: "failed",
      code: "expired_or_canceled_card",
    });
    const slow = await refOf({ paymentMethodRef: "pm_card_pendingRefund" });
    const pending = await processor().refund({ ...own, ...ids, key: "ref_p", reference: slow, amountMinor: 5n });
    if (pending.kind !== "pending") throw new Error(pending.kind);
    const known = { key: "ref_p", reference: slow, refundId: "rfd_1", refundRef: pending.refundRef };
    expect(await processor().findRefund({ ...known, account: "acct_1" })).toEqual(pending);
    expect(await processor().findRefund({ ...known, account: "acct_2" })).toEqual({ kind: "not_found" });
  });

  test("a dispute is about the captured amount and closes once; pm_card_createDispute opens one", async () => {
    const chargeId = "chg_disputed";
    await refOf({ chargeId, account: "acct_disputed" });
    const own = { account: "acct_disputed", charge_id: chargeId };
    expect(await control("disputes", { ...own, amount: 1_001 })).toMatchObject({ httpStatus: 400 });
    expect(await control("disputes", { ...own, account: "acct_2" })).toMatchObject({ httpStatus: 404 });
    expect(await control("disputes", { charge_id: chargeId })).toMatchObject({ httpStatus: 400 });
    const opened = await control("disputes", { ...own, reason: "product_not_received" });
    expect(opened).toMatchObject({ httpStatus: 201, amount: 1_000, status: "open", reason: "product_not_received" });
    const close = (status: string) => control(`disputes/${opened["id"]}/close`, { account: own.account, status });
    expect(await close("open")).toMatchObject({ httpStatus: 400 });
    expect(await close("lost")).toMatchObject({ httpStatus: 200, status: "lost" });
    expect(await close("won")).toMatchObject({ httpStatus: 409 });
  });

  test("without a connection, operations are not_sent; another account's payment is not found", async () => {
    const reference = await refOf({ capture: "manual" });
    const wanted = { ...own, key: "cap_x", reference, amountMinor: 1n };
    expect(await processor({ url: "http://127.0.0.1:9" }).capture(wanted)).toEqual({ kind: "not_sent" });
    expect(await processor().capture({ ...wanted, account: "acct_2" })).toEqual({ kind: "refused", code: "not_found" });
    expect(await processor().capture({ ...wanted, currency: "USD" })).toEqual({
      kind: "refused",
      code: "invalid_request",
    });
  });
});
