import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { clientToken, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";
import { answers, startWebhookReceiver, type WebhookReceiver } from "../../support/peers/webhook-receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";

// server/webhooks/deliveries/delivery.db.test.ts tests how deliveries are made, retried and ordered. Here the running
// workers send them.

const { sandboxUrl } = currentInstance();
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(() => receiver.close());

const listeningAgent = () => registerAgent(sandboxUrl, { metadata: { webhook_uri: receiver.url } });
const types = () => receiver.received.map(({ event }) => event.type);

describe("webhooks to an agent (docs/spec/payments.md, Webhooks)", () => {
  test("report its mandate and the charges under this mandate within seconds, signed with the secret of its registration", async () => {
    const [agent, merchant] = await Promise.all([listeningAgent(), registerMerchant(sandboxUrl)]);
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const charged = await flow.charge({ merchant, merchantToken: await clientToken(merchant), ...granted });
    expect(charged.status, charged.text).toBe(201);
    await waitUntil(async () => types().length >= 2);
    expect(types().toSorted()).toEqual(["charge.succeeded", "mandate.activated"]);
    const webhook = new Webhook(String(agent.registration["webhook_secret"]));
    for (const { body, headers, event } of receiver.received) {
      expect(webhook.verify(body, headers)).toEqual(event);
      expect(() => webhook.verify(`${body} `, headers)).toThrow();
    }
    const data = receiver.received.find(({ event }) => event.type === "charge.succeeded")?.event.data;
    expect(data).toMatchObject({ id: textOf(charged, "id"), mandate_id: granted.mandateId, status: "succeeded" });
  });

  test("are retried after five seconds with the same webhook-id", async () => {
    receiver.behave((received, response) =>
      answers(receiver.received.filter(({ event }) => event.id === received.event.id).length > 1 ? 200 : 503)(
        received,
        response,
      ),
    );
    const [agent, merchant] = await Promise.all([listeningAgent(), registerMerchant(sandboxUrl)]);
    await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    await waitUntil(async () => types().length >= 2);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const [first, second] = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(5);
  });
});
