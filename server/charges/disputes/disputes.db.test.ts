import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import type { FoundDispute } from "../../deps/processor-port.ts";
import { newId } from "../../kernel/ids.ts";
import { requestCapture, requestRefund, requestVoid } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { getMerchantCharge, listMerchantCharges } from "../lists/list-charges.ts";
import { receiveProcessorEvent } from "../reconcile/receive-processor-event.ts";
import { reconcileDueRefunds } from "../refunds/perform-refund.ts";
import { reconcileDueDisputes } from "./look-up-dispute.ts";
import { disputeLookupSeconds } from "./settle-dispute.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
/** The disputes at the processor, by the processor's id. */
let disputes: Map<string, FoundDispute>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
  disputes = new Map();
  bank.state.findDispute = async ({ disputeRef }) => disputes.get(disputeRef) ?? { kind: "not_found" };
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const limits = { max_total_amount: 1_000 };
const allCharges = {
  mandateId: null,
  status: null,
  reference: null,
  createdFrom: null,
  createdTo: null,
  limit: 10,
  startingAfter: null,
  endingBefore: null,
};
const act = (setup: Setup, chargeId: string) => ({
  merchantId: setup.merchant.id,
  clientId: setup.merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey: newId("req"),
});
const refund = (setup: Setup, chargeId: string, amount: number) =>
  requestRefund(deps, { ...act(setup, chargeId), request: { amount } });
/** The payment's id at the scripted processor. */
const paymentOf = (chargeId: string) => ({ chargeId, reference: `ref_${chargeId}` });
/** Changes the dispute at the processor and sends its event. */
const changeDispute = async (
  setup: Setup,
  chargeId: string,
  { status, disputeRef = `d_${chargeId}` }: { status: FoundDispute["status"]; disputeRef?: string },
) => {
  const money = { amountMinor: 1_000n, currency: "EUR", reason: "fraudulent" };
  disputes.set(disputeRef, { kind: "dispute", disputeRef, ...paymentOf(chargeId), status, ...money });
  await sendEvent(setup, disputeRef);
};
const sendEvent = (setup: Setup, disputeRef: string, account = `acct_${setup.merchant.id}`) => {
  const event = { id: "evt", type: "dispute.changed", about: "dispute", account, disputeRef } as const;
  return receiveProcessorEvent(deps, { processor: "simulator", event, requestId: "req_event" });
};
const chargeOf = (id: string) => deps.db.prisma.charge.findFirstOrThrow({ where: { id } });
type DisputeEvent = { id: string; type: string; sequence: number; data: Record<string, unknown> };
const eventsOfCharge = (chargeId: string) =>
  deps.db.prisma.$queryRaw<DisputeEvent[]>`SELECT object_id AS id, type, sequence, data FROM event
    WHERE data ->> 'charge_id' = ${chargeId} AND type LIKE 'dispute.%' ORDER BY created_at, object_id, sequence`;
const typesOf = async (chargeId: string) => (await eventsOfCharge(chargeId)).map(({ type }) => type);

describe("disputes (docs/spec/payments.md, Disputes)", () => {
  test("an opened dispute is shown with its charge and in the lists; the merchant no longer has the money, and no budget changes", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge();
    const before = await setup.counters();
    await changeDispute(setup, chargeId, { status: "open" });
    const merchantId = setup.merchant.id;
    expect(await getMerchantCharge(deps, { merchantId, chargeId })).toMatchObject({ status: "disputed" });
    const list = await listMerchantCharges(deps, { merchantId, ...allCharges });
    expect(list.data).toMatchObject([{ id: chargeId, status: "disputed", amount_captured: 1_000 }]);
    expect(await refusalOf(refund(setup, chargeId, 1))).toMatchObject({ code: "charge_not_refundable" });
    expect((await refusalOf(requestVoid(deps, act(setup, chargeId)))).code).toBe("charge_not_authorized");
    expect(await setup.counters()).toEqual(before);
    const [opened] = await eventsOfCharge(chargeId);
    expect(opened).toMatchObject({
      type: "dispute.opened",
      sequence: 1,
      data: {
        id: expect.stringMatching(/^dsp_/),
        charge_id: chargeId,
        amount: 1_000,
        currency: "EUR",
        reason: "fraudulent",
        status: "open",
        created_at: deps.clock.now().toISOString(),
      },
    });
    const audited = await deps.db.prisma.$queryRaw`SELECT action, actor_kind, actor_id, data ->> 'charge_id' AS charge
      FROM audit_entry WHERE subject_id = ${opened?.id}`;
    expect(audited).toEqual([
      { action: "dispute.opened", actor_kind: "system", actor_id: "processor", charge: chargeId },
    ]);
  });

  test.each<["won" | "lost", string]>([
    ["won", "succeeded"],
    ["lost", "disputed"],
  ])("a dispute that is %s is reported as closed once, and the charge is %s", async (end, state) => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge();
    await changeDispute(setup, chargeId, { status: "open" });
    await Promise.all(Array.from({ length: 6 }, () => changeDispute(setup, chargeId, { status: end })));
    await sendEvent(setup, `d_${chargeId}`);
    expect((await chargeOf(chargeId)).state).toBe(state);
    expect(await typesOf(chargeId)).toEqual(["dispute.opened", "dispute.closed"]);
    expect((await eventsOfCharge(chargeId))[1]?.data).toMatchObject({ status: end, closed_at: expect.any(String) });
    const counters = await setup.counters();
    expect(counters).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
    if (end === "won") expect(JSON.parse((await refund(setup, chargeId, 1)).body)["status"]).toBe("succeeded");
  });

  test("if the closing of a dispute is reported before its opening, both events are sent, and the late report of the opening changes nothing", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge();
    await changeDispute(setup, chargeId, { status: "lost" });
    await changeDispute(setup, chargeId, { status: "open" });
    expect((await chargeOf(chargeId)).state).toBe("disputed");
    const events = await eventsOfCharge(chargeId);
    expect(events.map(({ type, sequence, data }) => [type, sequence, data["status"]])).toEqual([
      ["dispute.opened", 1, "open"],
      ["dispute.closed", 2, "lost"],
    ]);
    // An appeal reversed the decision.
    await changeDispute(setup, chargeId, { status: "won" });
    expect((await chargeOf(chargeId)).state).toBe("succeeded");
    expect(await typesOf(chargeId)).toEqual(["dispute.opened", "dispute.closed", "dispute.closed"]);
  });

  test("twenty concurrent events of one dispute, with refunds between them, write the dispute once and break no invariant", async () => {
    const setup = await makeChargeableMandate(deps, { ...limits, refund_policy: "restore" });
    const { chargeId } = await setup.charge();
    const dispute = { disputeRef: "d_race", amountMinor: 1_000n, currency: "EUR", reason: "fraudulent" };
    disputes.set("d_race", { kind: "dispute", status: "open", ...paymentOf(chargeId), ...dispute });
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => sendEvent(setup, "d_race")),
      ...Array.from({ length: 5 }, () => refund(setup, chargeId, 100)),
    ]);
    expect(results.slice(0, 20).filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await typesOf(chargeId)).toEqual(["dispute.opened"]);
    const row = await chargeOf(chargeId);
    expect(row.state).toBe("disputed");
    expect(await setup.counters()).toMatchObject({ used: 1_000n - row.amountRefunded });
  });

  test("a refund that is in progress when a dispute opens still ends, and it changes the charge's state once the dispute is won", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge();
    bank.state.refund = async () => ({ kind: "unknown" });
    await refund(setup, chargeId, 300);
    await changeDispute(setup, chargeId, { status: "open" });
    bank.state.refund = async ({ key }) => ({ kind: "succeeded", refundRef: key });
    deps.clock.advance(60);
    await reconcileDueRefunds(deps, { limit: 50 });
    expect(await chargeOf(chargeId)).toMatchObject({ state: "disputed", amountRefunded: 300n });
    await changeDispute(setup, chargeId, { status: "won" });
    expect((await chargeOf(chargeId)).state).toBe("partially_refunded");
  });

  test("if a charge has two disputes, it is disputed until the last one is won", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    await requestCapture(deps, { ...act(setup, chargeId), request: { amount: 600 } });
    await changeDispute(setup, chargeId, { status: "open", disputeRef: "first" });
    await changeDispute(setup, chargeId, { status: "open", disputeRef: "second" });
    await changeDispute(setup, chargeId, { status: "won", disputeRef: "first" });
    expect((await chargeOf(chargeId)).state).toBe("disputed");
    await changeDispute(setup, chargeId, { status: "won", disputeRef: "second" });
    expect((await chargeOf(chargeId)).state).toBe("partially_captured");
  });

  test("if a dispute opens for a fully refunded charge, the charge stays refunded, and the dispute is still reported", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge();
    await refund(setup, chargeId, 1_000);
    await changeDispute(setup, chargeId, { status: "open" });
    expect((await chargeOf(chargeId)).state).toBe("refunded");
    expect(await typesOf(chargeId)).toEqual(["dispute.opened"]);
  });

  test("if a dispute arrives before the payment is known, the payment is looked up first", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const pay = bank.state.pay;
    bank.state.pay = async (request) => {
      await pay(request);
      return { kind: "unknown" };
    };
    const { chargeId } = await setup.charge();
    await changeDispute(setup, chargeId, { status: "open" });
    expect((await chargeOf(chargeId)).state).toBe("disputed");
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
  });

  test("a dispute of another account, of another charge or without a charge changes nothing; if the processor gives no answer, the event must be sent again", async () => {
    const [setup, other] = await Promise.all([
      makeChargeableMandate(deps, limits),
      makeChargeableMandate(deps, limits),
    ]);
    const { chargeId } = await setup.charge();
    const dispute = { disputeRef: "d_1", amountMinor: 1n, currency: "EUR", reason: "general" };
    disputes.set("d_1", { kind: "dispute", status: "open", ...paymentOf(chargeId), ...dispute });
    await sendEvent(setup, "d_1", `acct_${other.merchant.id}`);
    await sendEvent(setup, "d_unknown");
    bank.state.findDispute = async () => ({ kind: "unknown" });
    expect(await refusalOf(sendEvent(setup, "d_1"))).toMatchObject({ kind: "unavailable" });
    expect(await typesOf(chargeId)).toEqual([]);
    expect((await chargeOf(chargeId)).state).toBe("succeeded");
  });

  test("a dispute whose webhook was lost is recorded within a day", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    const { chargeId } = await setup.charge();
    await changeDispute(setup, chargeId, { status: "open" });
    const known = disputes.get(`d_${chargeId}`);
    if (known) disputes.set(known.disputeRef, { ...known, status: "won" });
    deps.clock.advance(disputeLookupSeconds - 1);
    await reconcileDueDisputes(deps, { limit: 100 });
    expect((await chargeOf(chargeId)).state).toBe("disputed");
    deps.clock.advance(1);
    await reconcileDueDisputes(deps, { limit: 100 });
    expect((await chargeOf(chargeId)).state).toBe("succeeded");
    expect(await typesOf(chargeId)).toEqual(["dispute.opened", "dispute.closed"]);
  });
});
