import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaymentRequest } from "../../../deps/processor-port.ts";
import { createSimulatorProcessor } from "../simulator-processor.ts";
import { type Simulator, startSimulator } from "./server.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const key = "faults-key";
type Received = { type: string; account: string; charge_id: string; id: string; verdict: unknown };
const received: Received[] = [];
let refusals = 0;
let directory: string;
let receiver: Server;
let simulator: Simulator;

const portOf = (server: Server): number => {
  const address = server.address();
  return address && typeof address === "object" ? address.port : 0;
};
const start = () =>
  startSimulator({
    port: 0,
    dataDirectory: directory,
    key,
    log,
    latency: [0, 1],
    webhookUrl: `http://127.0.0.1:${portOf(receiver)}/processors/simulator/webhook`,
  });

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "faults-"));
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const signature = request.headers["simulator-signature"];
    const header = () => (typeof signature === "string" ? signature : null);
    const verdict = processor().readEvent({ body, header, now: new Date() });
    if (refusals > 0) {
      refusals -= 1;
      return response.writeHead(503).end();
    }
    received.push({ ...(JSON.parse(body) as Received), verdict });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  simulator = await start();
});
afterAll(async () => {
  await simulator.close();
  receiver.close();
  await rm(directory, { recursive: true, force: true });
});

const processor = (totalMs = 20_000) =>
  createSimulatorProcessor({ url: `http://127.0.0.1:${simulator.port}`, key, connectMs: 10_000, totalMs });

let count = 0;
const request = (change: Partial<PaymentRequest> = {}): PaymentRequest => {
  count += 1;
  return {
    key: `fault_${count}`,
    chargeId: `chg_fault${count}`,
    account: `acct_f${count}`,
    amountMinor: 500n,
    paymentMethodRef: "pm_card_visa",
    currency: "EUR",
    capture: "automatic",
    payerPresence: "in_session",
    simulate: null,
    ...change,
  };
};

const control = async (method: string, address: string, body?: object): Promise<Record<string, unknown>> => {
  const response = await fetch(`http://127.0.0.1:${simulator.port}/control/${address}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, ...((await response.json()) as object) };
};
const ofCharge = (chargeId: string) => received.filter((event) => event.charge_id === chargeId);
const typesOf = (chargeId: string) => ofCharge(chargeId).map((event) => event.type);

describe("the simulator (docs/spec/payments.md, Simulator)", () => {
  test("sends one signed webhook per payment after the answer", async () => {
    const wanted = request();
    const outcome = await processor().pay(wanted);
    expect(typesOf(wanted.chargeId)).toEqual([]);
    await expect.poll(() => typesOf(wanted.chargeId)).toEqual(["payment.succeeded"]);
    expect(ofCharge(wanted.chargeId)[0]?.verdict).toMatchObject({
      type: "payment.succeeded",
      account: wanted.account,
      chargeId: wanted.chargeId,
      reference: "processorRef" in outcome ? (outcome.processorRef ?? "") : "",
    });
  });

  test("loses, delays, repeats or reorders webhooks, or sends them before the answer, as simulate or the payment method requests", async () => {
    const [lost, late, twice] = [
      request({ simulate: "webhook_lost" }),
      request({ simulate: "webhook_late" }),
      request({ paymentMethodRef: "pm_sim_webhook_twice" }),
    ];
    const disordered = request({ paymentMethodRef: "pm_sim_webhook_out_of_order" });
    for (const wanted of [lost, late, twice, disordered]) {
      expect(await processor().pay(wanted)).toMatchObject({ kind: "succeeded" });
    }
    const early = request({ paymentMethodRef: "pm_sim_webhook_before_response" });
    await processor().pay(early);
    expect(typesOf(early.chargeId)).toEqual(["payment.succeeded"]);
    await expect.poll(() => typesOf(twice.chargeId)).toHaveLength(2);
    expect(new Set(ofCharge(twice.chargeId).map((event) => event.id)).size).toBe(1);
    await expect.poll(() => typesOf(disordered.chargeId)).toEqual(["payment.succeeded", "payment.created"]);
    expect(typesOf(late.chargeId)).toEqual([]);
    const { data } = (await control("GET", `events?account=${late.account}`)) as { data: { dueAt: number }[] };
    expect((data[0]?.dueAt ?? 0) - Date.now()).toBeGreaterThan(15_000);
    await control("POST", "events/flush");
    await expect.poll(() => typesOf(late.chargeId)).toEqual(["payment.succeeded"]);
    expect(typesOf(lost.chargeId)).toEqual([]);
  });

  test("delays the webhook if the call times out after it was accepted, so that the outcome must be looked up", async () => {
    const wanted = request({ simulate: "timeout_after_accept" });
    expect(await processor(2_000).pay(wanted)).toEqual({ kind: "unknown" });
    const { data } = (await control("GET", `events?account=${wanted.account}`)) as { data: { dueAt: number }[] };
    expect((data[0]?.dueAt ?? 0) - Date.now()).toBeGreaterThan(20_000);
  });

  test("retries refused webhooks; after a restart, sends webhooks that were due before the restart", async () => {
    const wanted = request({ paymentMethodRef: "pm_sim_webhook_before_response" });
    refusals = 1;
    await processor().pay(wanted);
    expect(typesOf(wanted.chargeId)).toEqual([]);
    await simulator.close();
    simulator = await start();
    await control("POST", "events/flush");
    await expect.poll(() => typesOf(wanted.chargeId)).toEqual(["payment.succeeded"]);
  });

  test("repeated flushes don't use up the attempts of a refused webhook", async () => {
    const wanted = request({ simulate: "webhook_late" });
    refusals = 12;
    await processor().pay(wanted);
    const hasten = async () => {
      await control("POST", "events/flush");
      return typesOf(wanted.chargeId);
    };
    await expect.poll(hasten).toEqual(["payment.succeeded"]);
    expect(refusals).toBe(0);
  });

  test("sends webhooks about captures, voids and refunds", async () => {
    const wanted = request({ capture: "manual" });
    const authorized = await processor().pay(wanted);
    const reference = "processorRef" in authorized ? (authorized.processorRef ?? "") : "";
    const money = { account: wanted.account, reference, currency: "EUR", amountMinor: 100n };
    await processor().capture({ ...money, key: `${wanted.key}:capture` });
    const ids = { chargeId: wanted.chargeId, refundId: "rfd_1" };
    await processor().refund({ ...money, ...ids, key: `${wanted.key}:refund` });
    const expected = ["payment.authorized", "payment.captured", "refund.succeeded"];
    await expect.poll(() => typesOf(wanted.chargeId).sort()).toEqual(expected);
  });

  test("sends signed webhooks, and the adapter refuses a forged, changed or old one", async () => {
    const body = JSON.stringify({ id: "e", type: "t", account: "a", payment: "p", charge_id: "c" });
    const { signWebhook } = await import("./webhook-signature.ts");
    const now = new Date();
    const read = (header: string | null, text = body) =>
      processor().readEvent({ body: text, header: () => header, now });
    const good = signWebhook(key, body, now.getTime());
    expect(read(good)).toMatchObject({ reference: "p", chargeId: "c" });
    expect(read(good, `${body} `)).toBe("forged");
    expect(read(signWebhook("other", body, now.getTime()))).toBe("forged");
    expect(read(signWebhook(key, body, now.getTime() - 301_000))).toBe("forged");
    expect([read(null), read(""), read("t=1,v1=00")]).toEqual(["forged", "forged", "forged"]);
  });
});

describe("planned faults (docs/spec/payments.md, Simulator)", () => {
  test("apply to the planned number of calls of their account and kind", async () => {
    const account = "acct_planned";
    expect(await control("POST", "faults", { account, fault: "decline:lost_card", times: 2 })).toMatchObject({
      status: 201,
    });
    expect(await processor().pay(request())).toMatchObject({ kind: "succeeded" });
    const outcomes = [];
    for (let index = 0; index < 3; index += 1) outcomes.push((await processor().pay(request({ account }))).kind);
    expect(outcomes).toEqual(["declined", "declined", "succeeded"]);
    expect(await control("GET", "faults")).toMatchObject({ data: [] });
  });

  test.each(["capture", "void", "refund"] as const)(
    "a %s is done only once, even if its call times out after it was accepted",
    async (call) => {
      const wanted = request({ capture: call === "refund" ? "automatic" : "manual" });
      const paid = await processor().pay(wanted);
      const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
      const operation = {
        account: wanted.account,
        reference,
        key: `${wanted.key}:${call}`,
        amountMinor: 500n,
        currency: "EUR",
        chargeId: wanted.chargeId,
        refundId: "rfd_1",
      };
      await control("POST", "faults", { account: wanted.account, call, fault: "timeout_after_accept" });
      expect(await processor(2_000)[call](operation)).toEqual({ kind: "unknown" });
      const again = await processor()[call](operation);
      expect(again.kind).toBe({ capture: "captured", void: "voided", refund: "succeeded" }[call]);
      await control("POST", "faults", { account: wanted.account, call, fault: "timeout_before_accept" });
      expect(await processor(2_000)[call]({ ...operation, key: `${operation.key}2` })).toEqual({ kind: "unknown" });
    },
  );

  test("an outage fails every call until it is cleared", async () => {
    const wanted = request();
    await control("POST", "faults", { account: wanted.account, fault: "outage" });
    expect(await processor().pay(wanted)).toEqual({ kind: "unknown" });
    expect(await processor().pay(request())).toMatchObject({ kind: "succeeded" });
    expect(await control("DELETE", "faults")).toMatchObject({ cleared: 1 });
    expect(await processor().pay(wanted)).toMatchObject({ kind: "succeeded" });
  });

  test("refuses unknown faults", async () => {
    for (const fault of ["explode", "decline:", "decline:NO", ""]) {
      expect(await control("POST", "faults", { fault })).toMatchObject({ status: 400 });
    }
    expect(await control("GET", "nothing")).toMatchObject({ status: 404 });
  });
});
