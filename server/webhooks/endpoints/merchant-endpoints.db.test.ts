import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { appendEvent, type EventType } from "../../data/webhooks/events.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import { findDeliveries, getDelivery } from "../deliveries/find-deliveries.ts";
import { replayDelivery } from "../deliveries/replay-delivery.ts";
import { sendTestEvent } from "../deliveries/send-test-event.ts";
import { merchantEventTypes } from "../event-types.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { createMerchantEndpoint } from "./create-endpoint.ts";
import { getEndpointWithKeys, listEndpoints } from "./find-endpoint.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { updateEndpoint } from "./update-endpoint.ts";

// docs/spec/payments.md, Webhooks: how merchants manage their endpoints in the dashboard.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_member" }, requestId: "req_test" } as const;
const url = "https://shop.example/hooks";

const makeOwner = async (...eventTypes: string[]) => {
  const { id: ownerId } = await makeMerchant(deps);
  const { endpointId } = await createMerchantEndpoint(deps, { merchantId: ownerId, url, eventTypes, ...by });
  return { ownerId, endpointId };
};

let count = 0;
const emitEvent = async (ownerId: string, type = "invoice.paid"): Promise<void> => {
  count += 1;
  deps.clock.advance(1);
  const event = { type: type as EventType, objectId: `inv_${count}`, data: { merchant_id: ownerId } };
  await appendEvent(deps.db.sql, { ...event, at: deps.clock.now() });
  await dispatchEvents(deps);
};

const all = async (ownerId: string, filter: Partial<Parameters<typeof findDeliveries>[1]> = {}) =>
  (await findDeliveries(deps, { ownerId, limit: 100, ...filter })).deliveries;

describe("the event types of an endpoint", () => {
  test("are all types, or the types that the endpoint names", async () => {
    const some = await makeOwner("charge.succeeded");
    const every = await makeOwner();
    for (const ownerId of [some.ownerId, every.ownerId]) await emitEvent(ownerId);
    expect(await all(some.ownerId)).toEqual([]);
    expect((await all(every.ownerId)).map(({ eventType }) => eventType)).toEqual(["invoice.paid"]);
  });

  test("must be types that merchants can receive, each named once", async () => {
    expect(merchantEventTypes).toContain("charge.succeeded");
    expect(merchantEventTypes).toContain("mandate.limit_approaching");
    const { id: merchantId } = await makeMerchant(deps);
    for (const eventTypes of [["charge.vanished"], ["charge.succeeded", "charge.succeeded"]]) {
      const refused = await refusalOf(createMerchantEndpoint(deps, { merchantId, url, eventTypes, ...by }));
      expect(refused).toMatchObject({ kind: "invalid", pointers: ["/eventTypes"] });
    }
    expect(await listEndpoints(deps, merchantId)).toEqual([]);
  });
});

describe("a change of an endpoint", () => {
  test("changes its URL and event types, and is audited", async () => {
    const { ownerId, endpointId } = await makeOwner();
    const next = { url: "https://shop.example/new", eventTypes: ["charge.declined"] };
    await updateEndpoint(deps, { endpointId, ownerId, ...next, ...by });
    expect((await listEndpoints(deps, ownerId))[0]).toMatchObject(next);
    const { entries } = await searchAudit(deps, { subjectId: endpointId });
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["webhook_endpoint.updated", "acc_member"],
      ["webhook_endpoint.updated", "acc_member"],
      ["webhook_endpoint.created", "acc_member"],
    ]);
  });

  test.each([
    ["http://shop.example/", "/url"],
    ["https://user:secret@shop.example/", "/url"],
    ["https://shop.example:8443/", "/url"],
    ["nonsense", "/url"],
  ])("is refused for %s, naming the field, and changes nothing", async (bad, pointer) => {
    const { ownerId, endpointId } = await makeOwner();
    const refused = await refusalOf(updateEndpoint(deps, { endpointId, ownerId, url: bad, eventTypes: [], ...by }));
    expect(refused).toMatchObject({ kind: "invalid", pointers: [pointer] });
    expect((await listEndpoints(deps, ownerId))[0]?.url).toBe(url);
  });

  test("is allowed only to the owner", async () => {
    const [{ endpointId }, { ownerId }] = [await makeOwner(), await makeOwner()];
    const refused = await refusalOf(updateEndpoint(deps, { endpointId, ownerId, url, eventTypes: [], ...by }));
    expect(refused.kind).toBe("not_found");
  });

  test("that rotates the secret shows when the previous secret expires, and reveals no secret", async () => {
    const { ownerId, endpointId } = await makeOwner();
    const { secret, publicKey } = await rotateSecret(deps, { endpointId, ownerId, ...by });
    const { keys, ...rest } = await getEndpointWithKeys(deps, { endpointId, ownerId });
    const endsAt = new Date(deps.clock.now().getTime() + 24 * 3_600_000);
    expect(keys.map(({ expiresAt }) => expiresAt)).toEqual([null, endsAt]);
    expect(keys[0]?.publicKey).toBe(publicKey);
    expect(JSON.stringify([keys, rest])).not.toContain(secret.slice(6));
  });
});

describe("the list of deliveries", () => {
  test("has the deliveries of all the owner's endpoints, newest first, in pages", async () => {
    const { ownerId, endpointId } = await makeOwner();
    await createMerchantEndpoint(deps, { merchantId: ownerId, url: `${url}/2`, ...by });
    for (let made = 0; made < 3; made += 1) await emitEvent(ownerId);
    const whole = await all(ownerId);
    expect(whole).toHaveLength(6);
    const times = whole.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    const pages: string[][] = [];
    for (let startingAfter: string | undefined, hasMore = true; hasMore; ) {
      const page = await findDeliveries(deps, { ownerId, limit: 4, startingAfter });
      pages.push(page.deliveries.map(({ id }) => id));
      startingAfter = page.deliveries.at(-1)?.id;
      hasMore = page.hasMore;
    }
    expect(pages.map((page) => page.length)).toEqual([4, 2]);
    expect(pages.flat()).toEqual(whole.map(({ id }) => id));
    expect(await all(ownerId, { endpointId })).toHaveLength(3);
  });

  test("can be filtered by type and by outcome", async () => {
    const { ownerId, endpointId } = await makeOwner();
    await emitEvent(ownerId);
    await changeEndpoint(deps, { endpointId, ownerId, change: { kind: "off" }, ...by });
    await emitEvent(ownerId, "invoice.overdue");
    await changeEndpoint(deps, { endpointId, ownerId, change: { kind: "on" }, ...by });
    await emitEvent(ownerId, "invoice.overdue");
    expect(await all(ownerId, { state: "stopped" })).toHaveLength(2);
    expect(await all(ownerId, { eventType: "invoice.overdue" })).toHaveLength(2);
    expect(await all(ownerId, { eventType: "invoice.overdue", state: "pending" })).toHaveLength(1);
    expect(await all(ownerId, { eventType: "invoice.paid", state: "delivered" })).toEqual([]);
  });

  test("can be searched by the object of the events, also together with the filters", async () => {
    const { ownerId, endpointId } = await makeOwner();
    await createMerchantEndpoint(deps, { merchantId: ownerId, url: `${url}/2`, ...by });
    for (let made = 0; made < 2; made += 1) await emitEvent(ownerId);
    const [newest] = await all(ownerId);
    const objectId = newest?.objectId ?? "";
    const found = await all(ownerId, { objectId });
    expect(found.map((delivery) => delivery.objectId)).toEqual([objectId, objectId]);
    const [first, second] = found;
    expect(await all(ownerId, { objectId, startingAfter: first?.id })).toEqual([second]);
    expect(await all(ownerId, { objectId, endpointId })).toHaveLength(1);
    expect(await all(ownerId, { objectId, state: "delivered" })).toEqual([]);
    expect(await all(ownerId, { objectId: "inv_unknown" })).toEqual([]);
  });

  test("shows nothing of another owner, whether by endpoint, by object, by cursor or by id", async () => {
    const [own, other] = [await makeOwner(), await makeOwner()];
    for (const { ownerId } of [own, other]) await emitEvent(ownerId);
    const [theirs] = await all(other.ownerId);
    const deliveryId = theirs?.id ?? "";
    expect(await all(own.ownerId, { endpointId: other.endpointId })).toEqual([]);
    expect(await all(own.ownerId, { objectId: theirs?.objectId })).toEqual([]);
    expect(await all(own.ownerId, { startingAfter: deliveryId })).toEqual([]);
    expect((await refusalOf(getDelivery(deps, { deliveryId, ownerId: own.ownerId }))).kind).toBe("not_found");
  });

  test("contains deliveries, each with a page that shows the body as the merchant receives it", async () => {
    const { ownerId } = await makeOwner();
    await emitEvent(ownerId);
    const [listed] = await all(ownerId);
    const deliveryId = listed?.id ?? "";
    const delivery = await getDelivery(deps, { deliveryId, ownerId });
    expect(JSON.parse(delivery.body ?? "")).toMatchObject({ id: delivery.eventId, data: { merchant_id: ownerId } });
    expect(delivery).toMatchObject({ endpointUrl: url, tries: [], replayOf: null });
    const again = await replayDelivery(deps, { deliveryId, ownerId, ...by });
    expect(await getDelivery(deps, { deliveryId: again, ownerId })).toMatchObject({ replayOf: deliveryId });
  });
});

describe("a test event", () => {
  const testEvent = { eventType: "charge.succeeded", data: { id: "chg_example" } } as const;

  test("goes to one endpoint only, regardless of its subscriptions, with the payload of the event", async () => {
    const { ownerId, endpointId } = await makeOwner("charge.declined");
    await createMerchantEndpoint(deps, { merchantId: ownerId, url: "https://shop.example/other", ...by });
    const deliveryId = await sendTestEvent(deps, { ...testEvent, endpointId, ownerId, ...by });
    await dispatchEvents(deps);
    expect((await all(ownerId)).map(({ id, state }) => [id, state])).toEqual([[deliveryId, "pending"]]);
    const { body, eventId } = await getDelivery(deps, { deliveryId, ownerId });
    const sent = { id: eventId, type: "charge.succeeded", sequence: 1, data: { id: "chg_example" } };
    expect(JSON.parse(body ?? "")).toMatchObject(sent);
    const { entries } = await searchAudit(deps, { subjectId: endpointId });
    expect(entries.map(({ action }) => action)).toContain("webhook_endpoint.tested");
  });

  test("is refused for another owner's endpoint and while the endpoint is disabled", async () => {
    const { ownerId, endpointId } = await makeOwner();
    const { ownerId: foreignId } = await makeOwner();
    const send = (owner: string) => refusalOf(sendTestEvent(deps, { ...testEvent, endpointId, ownerId: owner, ...by }));
    expect(await send(foreignId)).toMatchObject({ kind: "not_found" });
    await changeEndpoint(deps, { endpointId, ownerId, change: { kind: "off" }, ...by });
    expect(await send(ownerId)).toMatchObject({ kind: "conflict", code: "endpoint_off" });
    expect(await all(ownerId)).toEqual([]);
  });
});
