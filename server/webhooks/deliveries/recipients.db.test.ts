import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { accepts, startWebhookReceiver, type WebhookReceiver } from "#e2e/support/peers/webhook-receiver.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { appendEvent, type EventType } from "../../data/webhooks/events.ts";
import type { WebhookOwner } from "../../data/webhooks/webhook-endpoints.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { addEndpoint } from "../endpoints/create-endpoint.ts";
import { createWebhookSender } from "./send-deliveries.ts";

// docs/spec/payments.md, Webhooks: recipients of each event.

let deps: TestDeps;
let receiver: WebhookReceiver;
beforeAll(async () => {
  deps = await createTestDeps({
    processors: scriptedProcessor().processors,
    config: { webhookLoopback: true },
  });
  receiver = await startWebhookReceiver();
  receiver.behave(accepts);
});
afterAll(async () => {
  receiver.close();
  await deps.close();
});
beforeEach(async () => {
  await sendAll();
  receiver.received.length = 0;
});

/** Each owner has its own path, which identifies the recipient. */
const listen = (owner: WebhookOwner) =>
  deps.db.sqlTransaction((sql) =>
    addEndpoint(deps, sql, {
      owner,
      url: `${receiver.url}/${owner.id}`,
      actor: { kind: "system", id: "test" },
      requestId: "req_test",
    }),
  );

const sendAll = async () => {
  await dispatchEvents(deps);
  const sender = createWebhookSender();
  while ((await sender.begin(deps)) > 0) await sender.allEnded();
};

const receivedOf = (type: string) => receiver.received.filter(({ event }) => event.type === type);
const recipientsOf = (type: string) =>
  receivedOf(type)
    .map(({ path }) => path.split("/").at(-1))
    .toSorted();

/** A mandate that names one merchant, and other merchants that it doesn't name. All have an endpoint. */
const makeParties = async (limits: Parameters<typeof makeChargeableMandate>[1] = {}) => {
  const setup = await makeChargeableMandate(deps, limits);
  const stranger = await makeMerchant(deps);
  await listen({ kind: "client", id: setup.agent.id });
  await listen({ kind: "merchant", id: setup.merchant.id });
  await listen({ kind: "merchant", id: stranger.id });
  return { ...setup, stranger };
};

const emitEvent = (type: string, objectId: string, data: JsonObject) =>
  appendEvent(deps.db.sql, { type: type as EventType, objectId, data, at: deps.clock.now() });

describe("a mandate event", () => {
  test("goes to the mandate's client and to the merchants listed in `payees`; merchants don't receive the limits", async () => {
    const { payer, agent, merchant, mandateId } = await makeParties();
    await sendAll();
    receiver.received.length = 0;
    const actor = { kind: "payer", id: payer.id } as const;
    const narrowing = { max_amount_per_payment: 10 };
    await narrowMandate(deps, { mandateId, actor, requestId: "req_test", narrowing });
    await emitEvent("mandate.updated", mandateId, {
      mandate_id: mandateId,
      status: "active",
      max_total_amount: 5,
      left: 3,
    });
    await sendAll();
    expect(recipientsOf("mandate.updated")).toEqual([agent.id, agent.id, merchant.id, merchant.id].toSorted());
    const last = receivedOf("mandate.updated").filter(({ event }) => event.sequence === 3);
    const dataFor = (id: string) => last.find(({ path }) => path.endsWith(id))?.event.data;
    expect(dataFor(agent.id)).toEqual({ mandate_id: mandateId, status: "active", max_total_amount: 5, left: 3 });
    expect(dataFor(merchant.id)).toEqual({ mandate_id: mandateId, status: "active" });
  });

  test("goes to a merchant that charged the mandate, even if payees doesn't name that merchant", async () => {
    const { agent, merchant, mandateId, charge } = await makeParties({ payees: [{ category: "5411" }] });
    await emitEvent("mandate.updated", mandateId, { mandate_id: mandateId, status: "active" });
    await sendAll();
    expect(recipientsOf("mandate.updated")).toEqual([agent.id]);
    receiver.received.length = 0;
    await deps.db.prisma.mandate.update({
      where: { id: mandateId },
      data: { payeeMerchantIds: [merchant.id] },
    });
    await charge();
    await deps.db.prisma.mandate.update({ where: { id: mandateId }, data: { payeeMerchantIds: [] } });
    await emitEvent("mandate.suspended", mandateId, { mandate_id: mandateId, status: "suspended" });
    await sendAll();
    expect(recipientsOf("mandate.suspended")).toEqual([agent.id, merchant.id].toSorted());
  });

  test("limit_approaching tells merchants that a limit is almost reached, but not the limit or the amount", async () => {
    const { agent, merchant, mandateId } = await makeParties();
    const shared = { mandate_id: mandateId, status: "active", version: 1 };
    const limits = [{ constraint: "max_total_amount", cap: 5_000, used: 4_000 }];
    await emitEvent("mandate.limit_approaching", mandateId, { ...shared, limits });
    await sendAll();
    expect(recipientsOf("mandate.limit_approaching")).toEqual([agent.id, merchant.id].toSorted());
    const dataFor = (id: string) =>
      receivedOf("mandate.limit_approaching").find(({ path }) => path.endsWith(id))?.event.data;
    expect(dataFor(agent.id)).toEqual({ ...shared, limits });
    expect(dataFor(merchant.id)).toEqual(shared);
  });
});

describe("charge, refund and dispute events", () => {
  test("go to the charge's merchant and the mandate's client, and to no other merchant", async () => {
    const { agent, merchant, charge } = await makeParties();
    const { chargeId } = await charge();
    await emitEvent("refund.succeeded", "rfd_1", { id: "rfd_1", charge_id: chargeId });
    await emitEvent("dispute.opened", chargeId, { charge_id: chargeId });
    await sendAll();
    for (const type of ["charge.succeeded", "refund.succeeded", "dispute.opened"]) {
      expect(recipientsOf(type)).toEqual([agent.id, merchant.id].toSorted());
    }
    expect(receivedOf("charge.succeeded")[0]?.event.data).toMatchObject({
      id: chargeId,
      status: "succeeded",
      amount: 1_000,
    });
  });
});

describe("an invoice event", () => {
  test("goes only to the merchant", async () => {
    const { merchant } = await makeParties();
    await emitEvent("invoice.paid", "inv_1", { merchant_id: merchant.id });
    await sendAll();
    expect(recipientsOf("invoice.paid")).toEqual([merchant.id]);
  });
});

test("an event of an unknown type or about an unknown object has no recipients and doesn't block other events", async () => {
  const { merchant } = await makeParties();
  await emitEvent("invoice.paid", "inv_1", {});
  await emitEvent("charge.succeeded", "chg_unknown", {});
  await emitEvent("mandate.revoked", "mdt_unknown", {});
  await emitEvent("key.rotated", "key_1", { merchant_id: merchant.id });
  await emitEvent("invoice.paid", "inv_2", { merchant_id: merchant.id });
  await sendAll();
  expect(receiver.received.filter(({ path }) => path.endsWith(merchant.id)).map(({ event }) => event.type)).toContain(
    "invoice.paid",
  );
  expect(receivedOf("key.rotated")).toEqual([]);
});

test("each of a merchant's endpoints gets its own delivery", async () => {
  const { merchant } = await makeParties();
  await listen({ kind: "merchant", id: merchant.id });
  await emitEvent("invoice.paid", "inv_9", { merchant_id: merchant.id });
  await sendAll();
  expect(recipientsOf("invoice.paid")).toEqual([merchant.id, merchant.id]);
});
