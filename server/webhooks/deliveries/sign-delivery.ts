import { sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { SigningSecret } from "../endpoints/secrets.ts";

type Message = { id: string; at: Date; body: string };

/**
 * Standard Webhooks, Signature scheme: `v1` (HMAC-SHA-256) and `v1a` (Ed25519) with every valid secret, so that a
 * receiver finds a matching signature during a rotation.
 * @param message its `id` is the same for each attempt.
 */
export const signatureHeaders = (secrets: readonly SigningSecret[], { id, at, body }: Message) => {
  const timestamp = epochSeconds(at);
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = secrets.flatMap(({ secret, privateKey }) => [
    new Webhook(secret).sign(id, at, body),
    `v1a,${sign(null, signed, privateKey).toString("base64")}`,
  ]);
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
};
