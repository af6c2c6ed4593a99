import { createHmac, createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { makeAgentClient, makeMerchant } from "#e2e/support/factories.ts";
import {
  accepts,
  answers,
  delays,
  loses,
  type Received,
  startWebhookReceiver,
  type WebhookReceiver,
} from "#e2e/support/peers/webhook-receiver.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import { claimWebhookDeliveries } from "../../data/webhooks/webhook-attempts.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import { createSendWebhooksTick } from "../../jobs/messages/send-webhooks.ts";
import { addSeconds, epochSeconds } from "../../kernel/time/clock.ts";
import { addEndpoint } from "../endpoints/create-endpoint.ts";
import { rotateSecret } from "../endpoints/rotate-secret.ts";
import type { WebhookCredentials } from "../endpoints/secrets.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import { getDelivery } from "./find-deliveries.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { recordAttempt } from "./record-attempt.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { createWebhookSender } from "./send-deliveries.ts";

const by = { actor: { kind: "system", id: "test" }, requestId: "req_test" } as const;

let deps: TestDeps;
let receiver: WebhookReceiver;
let merchantId: string;
let endpoint: WebhookCredentials;
beforeEach(async () => {
  deps = await createTestDeps({ config: { webhookLoopback: true } });
  receiver = await startWebhookReceiver();
  merchantId = (await makeMerchant(deps)).id;
  endpoint = await addTo(receiver.url);
});
afterEach(async () => {
  receiver.close();
  await deps.close();
});

const addTo = (url: string, ownerId = merchantId) =>
  deps.db.sqlTransaction((sql) => addEndpoint(deps, sql, { owner: { kind: "merchant", id: ownerId }, url, ...by }));

/** An event that only the merchant receives. Delivery is the same for every event type. */
const emitEvent = (object = "inv_1") =>
  appendEvent(deps.db.sql, {
    // biome-ignore lint/suspicious/noExplicitAny: invoice events are not typed yet
    type: "invoice.paid" as any,
    objectId: object,
    data: { object, merchant_id: merchantId },
    at: deps.clock.now(),
  });

/** Sends all due deliveries, round by round, as a worker does. @returns the number of attempts. */
const sendDue = async (on: TestDeps = deps): Promise<number> => {
  const sender = createWebhookSender();
  let total = 0;
  for (;;) {
    const begun = await sender.begin(on);
    total += begun;
    await sender.allEnded();
    if (begun === 0) return total;
  }
};
const dispatchAndSend = async () => {
  await dispatchEvents(deps);
  return sendDue();
};
const deliveries = () => listDeliveries(deps, { endpointId: endpoint.endpointId, ownerId: merchantId, limit: 100 });
const onlyDelivery = async () => {
  const [delivery, ...more] = await deliveries();
  if (!delivery || more.length > 0) throw new Error(`${more.length} more deliveries`);
  return delivery;
};
const stateOf = () => deps.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.endpointId } });

const turnedOff = () =>
  deps.db.prisma.$queryRaw`SELECT subject_id, data->>'reason' AS reason FROM audit_entry
    WHERE action = 'webhook_endpoint.turned_off'`;

const receivedOnly = (): Received => {
  const [one, ...more] = receiver.received;
  if (!one || more.length > 0) throw new Error(`${more.length} more`);
  return one;
};

describe("a delivery (Standard Webhooks)", () => {
  test("is {id, type, timestamp, sequence, data}, with webhook-id, webhook-timestamp and webhook-signature", async () => {
    await emitEvent();
    expect(await dispatchAndSend()).toBe(1);
    const { headers, event } = receivedOnly();
    expect(Object.keys(event)).toEqual(["id", "type", "timestamp", "sequence", "data"]);
    expect(event).toMatchObject({ type: "invoice.paid", sequence: 1, timestamp: deps.clock.now().toISOString() });
    expect(headers["webhook-id"]).toBe(event.id);
    expect(headers["webhook-timestamp"]).toBe(String(Math.floor(deps.clock.now().getTime() / 1000)));
    expect(headers["content-type"]).toBe("application/json");
  });

  const verifies = ({ headers, body }: Received, secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };
  const signedOf = ({ headers, body }: Received): string =>
    `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  /** Verifies without the package, because the package compares the timestamp with the machine's clock. */
  const hasMac = ({ headers }: Pick<Received, "headers">, signed: string, secret: string): boolean => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const mac = createHmac("sha256", key).update(signed).digest("base64");
    return (headers["webhook-signature"] ?? "").split(" ").includes(`v1,${mac}`);
  };
  const verifiesAsymmetric = (one: Received, publicKey: string): boolean => {
    const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.from(signedOf(one));
    return (one.headers["webhook-signature"] ?? "")
      .split(" ")
      .filter((signature) => signature.startsWith("v1a,"))
      .some((signature) => verify(null, signed, key, Buffer.from(signature.slice(4), "base64")));
  };

  test("is signed with v1, which the standardwebhooks package verifies, and with v1a (Ed25519)", async () => {
    await emitEvent();
    await dispatchAndSend();
    const one = receivedOnly();
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(verifies(one, endpoint.secret)).toBe(true);
    expect(verifiesAsymmetric(one, endpoint.publicKey)).toBe(true);
    const changed = { ...one, body: one.body.replace("inv_1", "inv_2") };
    expect([verifies(changed, endpoint.secret), verifiesAsymmetric(changed, endpoint.publicKey)]).toEqual([
      false,
      false,
    ]);
  });

  test("records when each attempt was signed, so that the signature can be recomputed from the displayed body", async () => {
    receiver.behave(answers(500, "no"));
    await emitEvent();
    await dispatchEvents(deps);
    const { clock } = deps;
    // The clock advances one second at each read, so that no two instants of an attempt are equal.
    const slow: TestDeps = {
      ...deps,
      clock: {
        ...clock,
        now: () => {
          clock.advance(1);
          return clock.now();
        },
      },
    };
    await sendDue(slow);
    clock.advance(60);
    await sendDue(slow);
    const { id } = await onlyDelivery();
    const { tries, body, eventId } = await getDelivery(deps, { deliveryId: id, ownerId: merchantId });
    expect(tries.length).toBeGreaterThanOrEqual(2);
    for (const [index, { startedAt }] of tries.entries()) {
      const { headers = {} } = receiver.received[index] ?? {};
      expect(headers["webhook-timestamp"]).toBe(String(epochSeconds(startedAt)));
      expect(hasMac({ headers }, `${eventId}.${epochSeconds(startedAt)}.${body}`, endpoint.secret)).toBe(true);
    }
  });

  test("is signed with both secrets for a day after a rotation", async () => {
    const next = await rotateSecret(deps, { endpointId: endpoint.endpointId, ownerId: merchantId, ...by });
    const check = async (of: WebhookCredentials) => {
      const one = receiver.received.at(-1);
      return one ? [hasMac(one, signedOf(one), of.secret), verifiesAsymmetric(one, of.publicKey)] : [];
    };
    deps.clock.advance(24 * 3600 - 1);
    await emitEvent();
    await dispatchAndSend();
    const signatures = receiver.received.at(-1)?.headers["webhook-signature"] ?? "";
    expect(signatures.split(" ").map((each) => each.split(",")[0])).toEqual(["v1", "v1a", "v1", "v1a"]);
    expect(await check(endpoint)).toEqual([true, true]);
    expect(await check(next)).toEqual([true, true]);
    deps.clock.advance(1);
    await emitEvent();
    await dispatchAndSend();
    expect(await check(endpoint)).toEqual([false, false]);
    expect(await check(next)).toEqual([true, true]);
  });

  test("is signed with at most four secrets, after any number of rotations", async () => {
    for (let count = 0; count < 6; count += 1) {
      await rotateSecret(deps, { endpointId: endpoint.endpointId, ownerId: merchantId, ...by });
      deps.clock.advance(1);
    }
    await emitEvent();
    await dispatchAndSend();
    expect(receivedOnly().headers["webhook-signature"]?.split(" ")).toHaveLength(8);
  });

  test("keeps no secret in plain text (encrypted at rest)", async () => {
    const [row] = await deps.db.prisma.webhookSecret.findMany();
    expect(JSON.stringify(row)).not.toContain(endpoint.secret.slice(6));
    expect(row?.sealed).toMatch(/^v1\./);
  });
});

describe("a failing endpoint", () => {
  test("gets ten attempts over three days, and is then disabled, with a notice and an audit entry", async () => {
    const account = await deps.db.prisma.account.create({
      data: {
        id: "acc_admin",
        email: "admin@example.test",
        displayName: "A",
        passwordHash: "-",
        createdAt: deps.clock.now(),
      },
    });
    const member = { merchantId, accountId: account.id, createdAt: deps.clock.now() };
    await deps.db.prisma.merchantMember.create({ data: { ...member, role: "admin" } });
    receiver.behave(answers(500, "no"));
    await emitEvent();
    const begunAt = deps.clock.now();
    await dispatchAndSend();
    const pauses: number[] = [];
    for (let { nextAttemptAt } = await onlyDelivery(); nextAttemptAt; { nextAttemptAt } = await onlyDelivery()) {
      pauses.push((nextAttemptAt.getTime() - deps.clock.now().getTime()) / 1000);
      deps.clock.set(addSeconds(nextAttemptAt, -0.001));
      expect(await sendDue()).toBe(0);
      deps.clock.set(nextAttemptAt);
      expect(await sendDue()).toBe(1);
    }
    expect(pauses).toEqual([5, 60, 600, 3600, 10_800, 21_600, 43_200, 72_000, 104_400]);
    expect((deps.clock.now().getTime() - begunAt.getTime()) / 86_400_000).toBeCloseTo(3, 1);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await onlyDelivery()).toMatchObject({ state: "failed", attempts: 10 });
    expect(await stateOf()).toMatchObject({ disabledAt: deps.clock.now(), disabledReason: "failing" });
    const [mail] = await deps.db.prisma.mail.findMany();
    expect(mail).toMatchObject({
      kind: "webhook_endpoint_off",
      recipient: "admin@example.test",
      state: "pending",
      text: expect.stringContaining(receiver.url),
      html: expect.stringContaining(
        `href="${deps.config.walletUrl}/merchant/webhooks/${endpoint.endpointId}?merchant=${merchantId}"`,
      ),
    });
    expect(await turnedOff()).toEqual([{ subject_id: endpoint.endpointId, reason: "failing" }]);
  });

  test("is disabled immediately if it returns 410, with a notice, even after earlier successful deliveries", async () => {
    receiver.behave(accepts);
    await emitEvent("inv_0");
    await dispatchAndSend();
    receiver.behave(answers(410, "gone"));
    await emitEvent();
    await emitEvent();
    await dispatchAndSend();
    expect((await deliveries()).map(({ state }) => state).sort()).toEqual(["delivered", "failed", "stopped"]);
    expect(await stateOf()).toMatchObject({ disabledAt: deps.clock.now(), disabledReason: "gone" });
    expect(await turnedOff()).toEqual([{ subject_id: endpoint.endpointId, reason: "gone" }]);
  });

  test("isn't disabled if its former URL returns 410 after a change of URL, and gets the event at the new URL", async () => {
    const moved = await startWebhookReceiver("127.0.0.2");
    try {
      receiver.behave(async (received, response) => {
        await updateEndpoint(deps, {
          endpointId: endpoint.endpointId,
          ownerId: merchantId,
          url: moved.url,
          eventTypes: [],
          ...by,
        });
        return answers(410, "moved")(received, response);
      });
      await emitEvent();
      await dispatchAndSend();
      expect(await stateOf()).toMatchObject({ url: moved.url, disabledAt: null });
      deps.clock.advance(5);
      expect(await sendDue()).toBe(1);
      expect([moved.received.length, (await onlyDelivery()).state]).toEqual([1, "delivered"]);
    } finally {
      moved.close();
    }
  });

  test.each([
    ["600", 600],
    ["2", 5],
    ["86400", 3_600],
    ["soon", 5],
  ])(
    "gets no attempt during its Retry-After, which counts for at most one hour: Retry-After %s, pause of %i s (RFC 9110 §10.2.3)",
    async (wish, pause) => {
      receiver.behave(answers(503, "busy", { "retry-after": wish }));
      await emitEvent();
      await dispatchAndSend();
      expect((await onlyDelivery()).nextAttemptAt).toEqual(addSeconds(deps.clock.now(), pause));
    },
  );

  test("receives nothing while it is disabled; missed deliveries are kept and can be replayed after it is enabled", async () => {
    await deps.db.prisma.webhookEndpoint.update({
      where: { id: endpoint.endpointId },
      data: { disabledAt: deps.clock.now(), disabledReason: "failing" },
    });
    await emitEvent();
    expect(await dispatchAndSend()).toBe(0);
    const missed = await onlyDelivery();
    expect(missed).toMatchObject({ state: "stopped", attempts: 0 });
    const replay = () => replayDelivery(deps, { deliveryId: missed.id, ownerId: merchantId, ...by });
    await expect(replay()).rejects.toMatchObject({ code: "endpoint_off" });
    await deps.db.prisma.webhookEndpoint.update({
      where: { id: endpoint.endpointId },
      data: { disabledAt: null, disabledReason: null },
    });
    await replay();
    expect(await sendDue()).toBe(1);
    expect(receivedOnly().event.id).toBe(missed.eventId);
  });

  test("stays enabled if another event was delivered since the first attempt, because then only this event fails", async () => {
    receiver.behave(
      ({ event }, response) => void response.writeHead(event.data["object"] === "inv_bad" ? 422 : 200).end(),
    );
    await emitEvent("inv_bad");
    await dispatchAndSend();
    deps.clock.advance(60);
    await emitEvent("inv_good");
    await dispatchAndSend();
    for (let round = 0; round < 9; round += 1) {
      deps.clock.advance(2 * 86_400);
      await sendDue();
    }
    expect((await deliveries()).map(({ state }) => state).toSorted()).toEqual(["delivered", "failed"]);
    expect(await stateOf()).toMatchObject({ disabledAt: null });
  });

  test.each([
    ["closes the connection", loses, { status: null, problem: "unreachable" }],
    [
      "redirects to another URL",
      answers(307, "", { location: "http://127.0.0.1:9/x" }),
      { status: 307, problem: null },
    ],
    ["returns 400 with a long body", answers(400, "x".repeat(5000)), { status: 400, bodyStart: "x".repeat(1024) }],
    ["returns bytes that PostgreSQL text can't store", answers(500, "a\0b"), { status: 500, bodyStart: "a\uFFFDb" }],
  ])(
    "%s: the attempt fails, and is recorded with its status and the start of the body",
    async (_title, behaviour, kept) => {
      receiver.behave(behaviour);
      await emitEvent();
      await dispatchAndSend();
      receiver.behave(accepts);
      deps.clock.advance(5);
      await sendDue();
      const { state, tries } = await onlyDelivery();
      expect(state).toBe("delivered");
      expect(tries).toHaveLength(2);
      expect(tries[0]).toMatchObject({ number: 1, url: receiver.url, ...kept });
      expect(tries[1]).toMatchObject({ number: 2, status: 204, problem: null });
    },
  );

  test("gets no request if its address isn't globally reachable", async () => {
    const guarded = await createTestDeps();
    const owner = { kind: "merchant", id: merchantId } as const;
    const { endpointId } = await guarded.db.sqlTransaction((sql) =>
      addEndpoint(guarded, sql, { owner, url: receiver.url, ...by }),
    );
    // biome-ignore lint/suspicious/noExplicitAny: invoice events are not typed yet
    const event = { type: "invoice.paid" as any, objectId: "inv_1", data: { merchant_id: merchantId } };
    await appendEvent(guarded.db.sql, { ...event, at: guarded.clock.now() });
    await dispatchEvents(guarded);
    await sendDue(guarded);
    const [delivery] = await listDeliveries(guarded, { endpointId, ownerId: merchantId, limit: 1 });
    expect(delivery?.tries).toMatchObject([{ status: null, problem: "bad_address" }]);
    expect(receiver.received).toEqual([]);
    await guarded.close();
  });
});

describe("first attempts", () => {
  test("follow the order of an object's sequence, and aren't blocked by an event that is being retried", async () => {
    receiver.behave(({ event }, response) => void response.writeHead(event.sequence === 2 ? 503 : 200).end());
    for (let count = 0; count < 4; count += 1) {
      await emitEvent("inv_a");
      await emitEvent("inv_b");
    }
    await dispatchAndSend();
    const order = receiver.order();
    for (const object of ["inv_a", "inv_b"]) {
      expect(order.filter((one) => one.startsWith(object))).toEqual([1, 2, 3, 4].map((n) => `${object}/${n}`));
    }
    receiver.behave(accepts);
    deps.clock.advance(5);
    await sendDue();
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
    expect(receiver.order().slice(8).toSorted()).toEqual(["inv_a/2", "inv_b/2"]);
  });

  test("never precede an earlier event that another worker is still dispatching", async () => {
    await emitEvent();
    await emitEvent();
    const [first] = await deps.db.prisma.event.findMany({ orderBy: { sequence: "asc" } });
    if (!first) throw new Error("no event");
    // Another dispatcher has locked the first event.
    const node = await anotherNode(deps);
    await node.db.transaction(async (tx) => {
      await tx.$queryRawUnsafe("SELECT FROM event WHERE id = $1 FOR UPDATE", first.id);
      expect(await dispatchEvents(deps)).toBe(1);
      expect(await sendDue()).toBe(0);
    });
    await node.close();
    await dispatchAndSend();
    expect(receiver.order()).toEqual(["inv_1/1", "inv_1/2"]);
  });

  test("wait for an earlier event of their object, and don't delay its delivery, even if many of them are due before it", async () => {
    const objects = 300;
    for (let object = 0; object < objects; object += 1) {
      await emitEvent(`inv_${object}`);
      await emitEvent(`inv_${object}`);
    }
    for (let batch = 0; batch < 3; batch += 1) await dispatchEvents(deps);
    // Simulates a worker that claimed each object's first event and then crashed.
    await deps.db.prisma.webhookDelivery.updateMany({
      where: { sequence: 1 },
      data: { nextAttemptAt: addSeconds(deps.clock.now(), 60) },
    });
    const sender = createWebhookSender();
    expect(await sender.begin(deps)).toBe(0);
    deps.clock.advance(60);
    expect(await sender.begin(deps)).toBe(16);
    await sender.allEnded();
    expect(new Set(receiver.order().map((one) => one.split("/")[1]))).toEqual(new Set(["1"]));
  });

  test("are made once, in order, by several concurrent workers", async () => {
    const objects = 20;
    const each = 3;
    for (let sequence = 0; sequence < each; sequence += 1) {
      for (let object = 0; object < objects; object += 1) await emitEvent(`inv_${object}`);
    }
    receiver.behave(delays(5));
    const nodes = await Promise.all([anotherNode(deps), anotherNode(deps), anotherNode(deps)]);
    const senders = nodes.map(() => createWebhookSender());
    const work = async (node: TestDeps, index: number) => {
      const sender = senders[index];
      if (!sender) return;
      for (let round = 0; round < 200 && receiver.received.length < objects * each; round += 1) {
        await dispatchEvents(node);
        if ((await sender.begin(node)) > 0) await sender.oneEnded();
        else await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await sender.allEnded();
    };
    await Promise.all(nodes.map(work));
    expect(receiver.received).toHaveLength(objects * each);
    expect(new Set(receiver.order()).size).toBe(objects * each);
    for (let object = 0; object < objects; object += 1) {
      const of = receiver.order().filter((one) => one.startsWith(`inv_${object}/`));
      expect(of).toEqual([1, 2, 3].map((sequence) => `inv_${object}/${sequence}`));
    }
    for (const node of nodes) await node.close();
  });
});

describe("a worker", () => {
  test("that crashes before it records the outcome leaves an attempt without outcome, and another worker sends the event again", async () => {
    await emitEvent();
    await emitEvent();
    await dispatchEvents(deps);
    const node = await anotherNode(deps);
    const close = node.db.close;
    // The delivery is sent and answered, then the worker loses its database: it can't record the outcome.
    receiver.behave(async (_received, response) => {
      await close();
      response.writeHead(200).end();
    });
    const errors: unknown[] = [];
    node.log = { ...node.log, error: (fields) => errors.push(fields) };
    const sender = createWebhookSender();
    expect(await sender.begin(node)).toBe(1);
    await sender.allEnded();
    expect(errors).toHaveLength(1);
    receiver.behave(accepts);
    expect(await sendDue()).toBe(0);
    deps.clock.advance(60);
    expect(await sendDue()).toBe(2);
    expect(receiver.order()).toEqual(["inv_1/1", "inv_1/1", "inv_1/2"]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
    const first = (await deliveries()).find(({ sequence }) => sequence === 1);
    expect(first?.tries).toMatchObject([
      { number: 1, endedAt: null, status: null },
      { number: 2, status: 204 },
    ]);
  });

  test("that continues after its claim expired doesn't change what its successor recorded, unless its own attempt succeeded", async () => {
    await emitEvent();
    await dispatchEvents(deps);
    const claimed = await claimWebhookDeliveries(deps.db.sql, {
      now: deps.clock.now(),
      claimUntil: addSeconds(deps.clock.now(), 60),
      busyEndpoints: [],
      held: new Map(),
      perEndpoint: 4,
      limit: 10,
    });
    const [late] = claimed;
    if (!late) throw new Error("nothing claimed");
    receiver.behave(answers(500));
    deps.clock.advance(60);
    await sendDue();
    const { nextAttemptAt } = await onlyDelivery();
    const outcome = {
      milliseconds: 61_000,
      problem: null,
      bodyStart: "",
      retryAfter: null,
      endedAt: addSeconds(deps.clock.now(), 1),
    };
    await recordAttempt(deps, late, { ...outcome, status: 500 });
    expect(await onlyDelivery()).toMatchObject({ attempts: 2, state: "pending", nextAttemptAt });
    await recordAttempt(deps, late, { ...outcome, status: 200 });
    expect(await onlyDelivery()).toMatchObject({ attempts: 2, state: "delivered", nextAttemptAt: null });
    deps.clock.advance(60);
    expect(await sendDue()).toBe(0);
  });
});

describe("a slow receiver", () => {
  /** Delays the responses that `isLate` selects until the returned function is called. */
  const answerLate = (isLate: (received: Received) => boolean = () => true): (() => void) => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.behave(async (received, response) => {
      if (isLate(received)) await gate;
      response.writeHead(200).end();
    });
    return release;
  };

  test("occupies one slot per delayed response; the other slots are reused", async () => {
    const release = answerLate(({ event }) => event.data["object"] === "inv_0");
    for (let object = 0; object < 40; object += 1) await emitEvent(`inv_${object}`);
    await dispatchEvents(deps);
    const tick = createSendWebhooksTick();
    const pending = () => deps.db.prisma.webhookDelivery.count({ where: { state: "pending" } });
    while ((await pending()) > 1) expect(await tick.run(deps)).toMatchObject({ hasMore: true });
    release();
    await tick.end?.();
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
  });

  test("with several endpoints uses at most 32 slots in total; the other deliveries are made a second later", async () => {
    for (const path of ["second", "third"]) {
      const id = (await makeMerchant(deps)).id;
      await addTo(`${receiver.url}/${path}`, id);
      for (let object = 0; object < 20; object += 1) {
        // biome-ignore lint/suspicious/noExplicitAny: invoice events are not typed yet
        const event = { type: "invoice.paid" as any, objectId: `inv_${path}_${object}`, data: { merchant_id: id } };
        await appendEvent(deps.db.sql, { ...event, at: deps.clock.now() });
      }
    }
    for (let object = 0; object < 20; object += 1) await emitEvent(`inv_${object}`);
    await dispatchEvents(deps);
    const release = answerLate();
    const sender = createWebhookSender();
    expect(await sender.begin(deps)).toBe(48);
    await expect.poll(() => receiver.received.length).toBe(32);
    await expect
      .poll(() => deps.db.prisma.webhookDelivery.count({ where: { attempts: 1, state: "pending" } }))
      .toBe(32);
    expect(await sender.begin(deps)).toBe(0);
    release();
    await sender.allEnded();
    deps.clock.advance(1);
    await sendDue();
    expect(receiver.received).toHaveLength(60);
    expect(await deps.db.prisma.webhookDelivery.count({ where: { attempts: 1, state: "delivered" } })).toBe(60);
  });

  test("with one endpoint uses at most 16 slots, and leaves the others free", async () => {
    const other = await startWebhookReceiver();
    const otherMerchant = (await makeMerchant(deps)).id;
    await addTo(other.url, otherMerchant);
    const release = answerLate();
    for (let object = 0; object < 300; object += 1) await emitEvent(`inv_${object}`);
    await dispatchEvents(deps);
    await dispatchEvents(deps);
    // biome-ignore lint/suspicious/noExplicitAny: invoice events are not typed yet
    const event = { type: "invoice.paid" as any, objectId: "inv_other", data: { merchant_id: otherMerchant } };
    await appendEvent(deps.db.sql, { ...event, at: deps.clock.now() });
    await dispatchEvents(deps);
    const sender = createWebhookSender();
    expect(await sender.begin(deps)).toBe(17);
    expect(await sender.begin(deps)).toBe(0);
    await sender.oneEnded();
    expect(other.received).toHaveLength(1);
    release();
    await sender.allEnded();
    other.close();
  });
});

describe("a backlog of more deliveries than a claim examines", () => {
  const longer = 1_100;
  /**
   * Inserts waiting deliveries.
   * @param values SQL for the columns that differ, computed from the delivery's number `n`
   */
  const insertDeliveries = (
    endpointId: string,
    values: { object: string; sequence: string; tried?: string },
    length = longer,
  ) =>
    deps.db.prisma.$executeRawUnsafe(
      `INSERT INTO webhook_delivery (id, endpoint_id, event_id, event_at, event_type, object_id, sequence, state, created_at, next_attempt_at, tried_at)
       SELECT 'whd_' || n, $1, e.id, e.created_at, e.type, ${values.object}, ${values.sequence}, 'pending', $2, $2, ${values.tried ?? "NULL"}
         FROM generate_series(1, ${length}) n, event e`,
      endpointId,
      addSeconds(deps.clock.now(), -60),
    );
  const claim = (input: { busyEndpoints?: string[]; held?: Map<string, number>; limit?: number } = {}) =>
    claimWebhookDeliveries(deps.db.sql, {
      now: deps.clock.now(),
      claimUntil: addSeconds(deps.clock.now(), 60),
      busyEndpoints: [],
      held: new Map(),
      perEndpoint: 16,
      limit: 100,
      ...input,
    });
  const countByEndpoint = (claimed: readonly { endpointId: string }[]) => {
    const counts: Record<string, number> = {};
    for (const { endpointId } of claimed) counts[endpointId] = (counts[endpointId] ?? 0) + 1;
    return counts;
  };

  /** Creates endpoints of other owners, each with events whose deliveries become due after all others. */
  const makeOthers = async (count: number, each: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { id } = await makeMerchant(deps);
      ids.push((await addTo(`${receiver.url}/${index}`, id)).endpointId);
      for (let object = 0; object < each; object += 1) {
        // biome-ignore lint/suspicious/noExplicitAny: invoice events are not typed yet
        const event = { type: "invoice.paid" as any, objectId: `inv_${index}_${object}`, data: { merchant_id: id } };
        await appendEvent(deps.db.sql, { ...event, at: deps.clock.now() });
      }
    }
    return ids;
  };

  test.each([
    ["if its endpoint has reached its limit", { object: "'inv_' || n", sequence: "1" }],
    ["if its deliveries wait for an earlier event of their object", { object: "'inv_same'", sequence: "n + 1" }],
  ])("%s, doesn't delay other endpoints", async (_name, values) => {
    await emitEvent("inv_same");
    await dispatchEvents(deps);
    await insertDeliveries(endpoint.endpointId, values);
    const others = await makeOthers(3, 20);
    await dispatchEvents(deps);
    const { endpointId } = endpoint;
    const isBusy = values.sequence === "1";
    const claimed = await claim({ busyEndpoints: isBusy ? [endpointId] : [] });
    expect(countByEndpoint(claimed)).toEqual({
      ...Object.fromEntries(others.map((id) => [id, 16])),
      // All other deliveries of the same object wait for this delivery.
      ...(isBusy ? {} : { [endpointId]: 1 }),
    });
  });

  /** Claims deliveries. @returns how many were claimed, and how many rows PostgreSQL read for this. */
  const countClaimReads = () =>
    deps.db.sqlTransaction(async (sql) => {
      const times = { now: deps.clock.now(), claimUntil: addSeconds(deps.clock.now(), 60) };
      const input = { ...times, busyEndpoints: [], held: new Map(), perEndpoint: 16, limit: 100 };
      const { done, reads } = await countReads(sql, () => claimWebhookDeliveries(sql, input));
      return { claimed: done.length, reads };
    });

  test.each([
    ["before PostgreSQL has statistics", ""],
    ["with statistics from almost empty tables", "ANALYZE webhook_delivery, event"],
  ])("isn't scanned once per delivery that a claim examines, %s", async (_name, learn) => {
    await emitEvent();
    await dispatchEvents(deps);
    if (learn) await deps.db.prisma.$executeRawUnsafe(learn);
    // After some claims, PostgreSQL keeps a query plan that it made while the tables were almost empty.
    for (let time = 0; time < 8; time += 1) await countClaimReads();
    const length = 6_000;
    await insertDeliveries(endpoint.endpointId, { object: "'inv_' || n / 2", sequence: "n % 2 + 1" }, length);
    await deps.db.prisma.$executeRaw`INSERT INTO event SELECT (r).* FROM (
      SELECT jsonb_populate_record(e, jsonb_build_object('id', 'evt_' || n, 'object_id', 'inv_late_' || n, 'dispatched_at', NULL)) AS r
        FROM (SELECT e FROM event e LIMIT 1) AS one, generate_series(1, 3000) n) AS late`;
    for (let time = 0; time < 3; time += 1) {
      const { claimed, reads } = await countClaimReads();
      expect(claimed).toBe(16);
      // The worst observed plans scanned the whole backlog once per claimed delivery. A scan per examined delivery
      // would read far more.
      expect(reads).toBeLessThan(20 * length);
    }
  });

  test("is claimed up to `limit`, and up to the endpoint's maximum minus its deliveries in progress", async () => {
    await emitEvent();
    await dispatchEvents(deps);
    await insertDeliveries(endpoint.endpointId, { object: "'inv_' || n", sequence: "1", tried: "$2" });
    const [other = ""] = await makeOthers(1, 20);
    await dispatchEvents(deps);
    const held = new Map([[endpoint.endpointId, 10]]);
    expect(countByEndpoint(await claim({ held }))).toEqual({ [endpoint.endpointId]: 6, [other]: 16 });
    expect(await claim({ held: new Map([[other, 14]]), limit: 3 })).toHaveLength(3);
  });
});

describe("webhooks_delivered (docs/spec/billing.md, Meters)", () => {
  test("counts an accepted delivery once, and doesn't count its replays", async () => {
    const metered = () => deps.db.prisma.$queryRaw<{ subject: string }[]>`
      SELECT subject FROM meter_event WHERE merchant_id = ${merchantId} AND meter = 'webhooks_delivered'`;
    const minutes = () => deps.db.prisma.$queryRaw<{ total: number }[]>`
      SELECT coalesce(sum(count), 0)::int AS total FROM meter_minute WHERE merchant_id = ${merchantId}`;
    await emitEvent();
    await dispatchAndSend();
    const { id } = await onlyDelivery();
    expect(await metered()).toEqual([{ subject: id }]);
    await replayDelivery(deps, { deliveryId: id, ownerId: merchantId, ...by });
    await sendDue();
    expect(receiver.received).toHaveLength(2);
    expect(await metered()).toEqual([{ subject: id }]);
    expect(await minutes()).toEqual([{ total: 1 }]);
  });
});

describe("a replay", () => {
  test("creates a new delivery with the event's webhook-id, and is refused for other owners", async () => {
    await emitEvent();
    await dispatchAndSend();
    const { id } = await onlyDelivery();
    const replayId = await replayDelivery(deps, { deliveryId: id, ownerId: merchantId, ...by });
    await sendDue();
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(
      Array(2).fill(receiver.received[0]?.event.id),
    );
    expect((await deliveries()).find((delivery) => delivery.id === replayId)).toMatchObject({
      replayOf: id,
      state: "delivered",
    });
    const foreign = (await makeAgentClient(deps)).id;
    await expect(replayDelivery(deps, { deliveryId: id, ownerId: foreign, ...by })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
