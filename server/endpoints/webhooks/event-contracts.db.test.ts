import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCapture, requestRefund, requestVoid } from "../../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { settleDispute } from "../../charges/disputes/settle-dispute.ts";
import { paymentEventContracts } from "../../charges/events/event-contracts.ts";
import { reconcileDueCharges } from "../../charges/reconcile/reconcile-due-charges.ts";
import { paymentEventTypes } from "../../data/webhooks/events.ts";
import { newId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { expireDueMandates } from "../../mandates/lifecycle/expire-due-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { resumeMandate } from "../../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { payloadOf } from "../../webhooks/rules/payload.ts";

// docs/spec/payments.md, Webhooks: events are sent exactly as documented.

type Sent = { id: string; type: string; sequence: number; data: JsonObject; createdAt: Date };

let deps: TestDeps;
let events: readonly Sent[];

/** Runs the lifecycle of every object that has events. */
const live = async (): Promise<void> => {
  const bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors });
  const { pay } = bank.state;
  const setup = await makeChargeableMandate(deps, { max_total_amount: 10_000, step_up_above: 4_000 });
  const { mandateId, charge } = setup;
  const by = { mandateId, actor: { kind: "payer", id: setup.payer.id }, requestId: "r" } as const;
  const act = (chargeId: string) => ({
    merchantId: setup.merchant.id,
    clientId: setup.merchantClient.id,
    requestId: "r",
    chargeId,
    idempotencyKey: newId("req"),
  });
  await narrowMandate(deps, { ...by, narrowing: { max_amount_per_payment: 4_500 } });
  await suspendMandate(deps, by);
  await resumeMandate(deps, by);
  const { chargeId } = await charge({ amount: 3_000, metadata: { basket: "weekly" } });
  await requestRefund(deps, { ...act(chargeId), request: { amount: 100 } });
  bank.state.refund = async () => ({ kind: "failed", refundRef: "r", code: "closed" });
  await requestRefund(deps, { ...act(chargeId), request: { amount: 100 } });
  const dispute = {
    kind: "dispute",
    disputeRef: "d",
    chargeId,
    reference: `ref_${chargeId}`,
    currency: "EUR",
  } as const;
  for (const status of ["open", "won"] as const) {
    const report = { ...dispute, status, amountMinor: 2_900n, reason: "fraudulent" };
    await settleDispute(deps, report, { kind: "processor", requestId: "r" });
  }
  await requestCapture(deps, { ...act((await charge({ capture_method: "manual" })).chargeId), request: {} });
  await requestVoid(deps, act((await charge({ capture_method: "manual" })).chargeId));
  bank.state.pay = async () => ({
    kind: "declined",
    processorRef: "r",
    declineCode: "lost_card",
    retryable: false,
    advice: "Ask for another.",
  });
  await charge();
  // The approval expires after 15 minutes.
  await charge({ amount: 4_400 });
  bank.state.pay = async (request) => {
    await pay(request);
    return { kind: "unknown" };
  };
  await charge();
  deps.clock.advance(3_600);
  await reconcileDueCharges(deps, { limit: 100 });
  bank.state.pay = pay;
  await charge({ amount: 3_500 });
  await charge({ amount: 1_500 });
  await revokeMandate(deps, {
    ...by,
    mandateId: (await makeChargeableMandate(deps)).mandateId,
    actor: { kind: "operator", id: "o" },
  });
  await makeChargeableMandate(deps);
  deps.clock.advance(400 * 86_400);
  await expireDueMandates(deps, { limit: 100 });
  events = await deps.db.prisma.$queryRaw<
    Sent[]
  >`SELECT id, type, sequence::int, data, created_at AS "createdAt" FROM event`;
};

beforeAll(live);
afterAll(() => deps?.close());

/** @returns the schema, changed to refuse undocumented members at any depth. */
const strictly = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodObject
    ? z.strictObject(
        Object.fromEntries(Object.entries(schema.shape).map(([name, of]) => [name, strictly(of as z.ZodType)])),
      )
    : schema instanceof z.ZodOptional
      ? strictly(schema.unwrap() as z.ZodType).optional()
      : schema instanceof z.ZodArray
        ? z.array(strictly(schema.element as z.ZodType))
        : schema;

describe("documented events of payments (docs/spec/payments.md, Webhooks)", () => {
  test("every documented type occurred in this test", () => {
    expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual([...paymentEventTypes].toSorted());
  });

  test.each(paymentEventContracts.map((contract) => [contract.type, contract] as const))(
    "%s is sent as documented, to clients and to merchants, and its example is valid",
    (type, { schema, example }) => {
      const documented = strictly(schema);
      expect(documented.parse(example)).toEqual(example);
      const sent = events.filter((event) => event.type === type);
      expect(sent.length).toBeGreaterThan(0);
      for (const owner of ["client", "merchant"] as const) {
        for (const event of sent) {
          const body: unknown = JSON.parse(payloadOf(event, owner));
          expect(documented.parse(body)).toEqual(body);
        }
      }
      // One of the sent events has exactly the members of the example's `data`.
      const membersOf = (data: unknown) => Object.keys(data as object).toSorted();
      expect(sent.map(({ data }) => membersOf(data))).toContainEqual(membersOf(example["data"]));
    },
  );
});
