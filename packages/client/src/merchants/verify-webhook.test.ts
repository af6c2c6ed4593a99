import { generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook } from "./verify-webhook.ts";

const secret = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const other = `whsec_${Buffer.from("abcdefghijklmnopqrstuvwx").toString("base64")}`;
const body = JSON.stringify({
  id: "evt_1",
  type: "charge.succeeded",
  timestamp: "2026-11-21T10:15:00.000Z",
  sequence: 1,
  data: { id: "chg_1", amount_captured: 1250, metadata: { order_id: "7" } },
});

const headersAt = (at: Date, key = secret) => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(key).sign("evt_1", at, body),
});
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe("verifyWebhook", () => {
  test("returns the event that the library of Standard Webhooks signed", async () => {
    const event = await verifyWebhook({ body, headers: headersAt(new Date()), secret });
    expect(event).toMatchObject({ id: "evt_1", type: "charge.succeeded", sequence: 1 });
    expect(event.data).toEqual({ id: "chg_1", amountCaptured: 1250, metadata: { order_id: "7" } });
  });

  test("accepts bytes, Headers, names in upper case, and one of several signatures and secrets", async () => {
    const headers = headersAt(new Date());
    const several = { ...headers, "webhook-signature": `v1a,AA== v1,AAAA ${headers["webhook-signature"]}` };
    const upper = Object.fromEntries(Object.entries(several).map(([name, value]) => [name.toUpperCase(), [value]]));
    await verifyWebhook({ body: new TextEncoder().encode(body), headers: new Headers(several), secret });
    await verifyWebhook({ body, headers: upper, secret: [other, secret] });
  });

  test("accepts an Ed25519 signature with the public key", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const headers = headersAt(new Date());
    const signed = Buffer.from(`evt_1.${headers["webhook-timestamp"]}.${body}`);
    const signature = `v1a,${sign(null, signed, privateKey).toString("base64")}`;
    const whpk = `whpk_${Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64")}`;
    await verifyWebhook({ body, headers: { ...headers, "webhook-signature": signature }, secret: whpk });
    await expect(verifyWebhook({ body, headers, secret: whpk })).rejects.toMatchObject({ code: "invalid_signature" });
  });

  const headers = headersAt(new Date());
  test.each<[string, string, Partial<Parameters<typeof verifyWebhook>[0]>]>([
    ["a changed body", "invalid_signature", { body: `${body} ` }],
    ["another secret", "invalid_signature", { secret: other }],
    ["another id", "invalid_signature", { headers: { ...headers, "webhook-id": "evt_2" } }],
    ["a missing signature", "invalid_signature", { headers: { ...headers, "webhook-signature": undefined } }],
    ["a delivery that is too old", "expired", { headers: headersAt(ago(400)) }],
    ["a delivery from the future", "not_yet_valid", { headers: headersAt(ago(-400)) }],
    ["a missing time", "malformed", { headers: { ...headers, "webhook-timestamp": undefined } }],
  ])("refuses %s", async (_, code, changes) => {
    await expect(verifyWebhook({ body, headers, secret, ...changes })).rejects.toMatchObject({ code });
  });

  test("refuses a malformed secret", async () => {
    await expect(verifyWebhook({ body, headers, secret: "whsec_" })).rejects.toThrow(TypeError);
  });
});
