import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { ProcessorEvent } from "../processors/port.ts";
import { receiveProcessorEvent } from "./receive-processor-event.ts";
import { makeStanding, scriptedProcessor } from "./standing.fixture.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

const unknownCharge = async () => {
  const standing = await makeStanding(deps, { max_total_amount: 3_000 });
  const pay = bank.state.pay;
  bank.state.pay = async (request) => {
    await pay(request);
    return { kind: "unknown" };
  };
  const { chargeId } = await standing.charge();
  const event: ProcessorEvent = {
    ...{ id: "evt", type: "payment.succeeded", reference: `ref_${chargeId}` },
    ...{ account: `acct_${standing.merchant.id}`, chargeId },
  };
  return { standing, chargeId, event };
};
const receive = (event: ProcessorEvent, processor = "simulator") =>
  receiveProcessorEvent(deps, { processor, event, requestId: "req_event" });
const rowOf = (id: string) => deps.db.prisma.charge.findFirstOrThrow({ where: { id } });
const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);

describe("events of a processor (2-payments, Charges)", () => {
  test("settle what is unknown, once: used, nothing held, told as reconciled, audited", async () => {
    const { standing, chargeId, event } = await unknownCharge();
    expect(await standing.counters()).toMatchObject({ held: 1_000n });
    await Promise.all(Array.from({ length: 8 }, () => receive(event)));
    await receive(event);
    expect(await rowOf(chargeId)).toMatchObject({
      state: "succeeded",
      processorRef: `ref_${chargeId}`,
      nextLookupAt: null,
    });
    expect(await standing.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
    expect(await eventsOf(chargeId)).toEqual(["charge.unknown", "charge.succeeded", "charge.reconciled"]);
    const audited = await deps.db.prisma.$queryRaw`SELECT actor_kind, actor_id FROM audit_entry
      WHERE subject_id = ${chargeId} AND action = 'charge.succeeded'`;
    expect(audited).toMatchObject([{ actor_kind: "system", actor_id: "processor" }]);
  });

  test("prove nothing by themselves: the processor is asked, and its word counts", async () => {
    const { standing, chargeId, event } = await unknownCharge();
    for (const outcome of [{ kind: "not_found" }, { kind: "unknown" }, { kind: "not_sent" }] as const) {
      bank.state.lookup = async () => outcome;
      await receive(event);
      expect(await rowOf(chargeId)).toMatchObject({ state: "unknown", notFoundAt: null });
    }
    const declined = { declineCode: "lost_card", retryable: false, advice: "No." };
    bank.state.lookup = async () => ({ kind: "declined", processorRef: "r", ...declined });
    await receive(event);
    expect(await rowOf(chargeId)).toMatchObject({ state: "declined", declineCode: "lost_card" });
    expect(await standing.counters()).toMatchObject({ used: 0n, held: 0n });
  });

  test("of another account, another processor or an unknown charge change nothing", async () => {
    const { chargeId, event } = await unknownCharge();
    bank.state.lookup = async () => {
      throw new Error("nobody asks for a payment that isn't told of");
    };
    await receive({ ...event, account: "acct_other" });
    await receive(event, "stripe");
    await receive({ ...event, chargeId: "chg_unknown" });
    expect(await rowOf(chargeId)).toMatchObject({ state: "unknown" });
  });

  test("before the answer to the call: settles by the event, and the answer is told the same", async () => {
    const standing = await makeStanding(deps);
    const pay = bank.state.pay;
    bank.state.pay = async (request) => {
      const outcome = await pay(request);
      const { chargeId, account } = request;
      await receive({ id: "evt", type: "payment.succeeded", reference: `ref_${chargeId}`, account, chargeId });
      expect(await rowOf(chargeId)).toMatchObject({ state: "succeeded" });
      return outcome;
    };
    const answer = await standing.charge();
    expect(answer.status).toBe(201);
    expect(await eventsOf(answer.chargeId)).toEqual(["charge.succeeded"]);
    expect(await standing.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
  });
});
