import { VerificationError } from "../errors/errors.ts";
import { type Bytes, concat, fromBase64, utf8 } from "../wire/bytes.ts";
import { parseMembers, textOrNull } from "../wire/members.ts";
import { toCamel } from "../wire/names.ts";

export type ReceivedWebhook = {
  /** the body as received, before any parsing */
  body: string | Uint8Array;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…` for signatures with HMAC, or `whpk_…` for Ed25519. During a rotation: both secrets */
  secret: string | readonly string[];
};

/** An event. It can arrive more than once, always with the same `id`. */
export type WebhookEvent = {
  id: string;
  /** for example `charge.succeeded` */
  type: string;
  timestamp: string;
  /** counts the events of one object */
  sequence: number;
  /** what the event is about, for example a charge, with this package's names */
  data: Record<string, unknown>;
};

/** How old a delivery may be (Standard Webhooks, Verifying signatures). */
const toleranceSeconds = 300;

const readHeader = (headers: ReceivedWebhook["headers"], name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === "string" ? value : (value?.join(" ") ?? "");
};

type Verifier = { version: string; verify(signature: Bytes, signed: Bytes): Promise<boolean> };

const hmacVerifier = async (secret: Bytes): Promise<Verifier> => {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  // WebCrypto compares in constant time.
  return { version: "v1", verify: (signature, signed) => crypto.subtle.verify("HMAC", key, signature, signed) };
};

const ed25519Verifier = async (publicKey: Bytes): Promise<Verifier> => {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return { version: "v1a", verify: (signature, signed) => crypto.subtle.verify("Ed25519", key, signature, signed) };
};

const toVerifier = async (secret: string): Promise<Verifier> => {
  const [, prefix, text = ""] = /^(whsec_|whpk_)?(.*)$/s.exec(secret) ?? [];
  const bytes = fromBase64(text);
  if (bytes === null || bytes.length < 16) throw new TypeError("secret must be whsec_… or whpk_… as you received it");
  return prefix === "whpk_" ? ed25519Verifier(bytes) : hmacVerifier(bytes);
};

type Signature = { version: string; bytes: Bytes };

const readSignatures = (header: string): Signature[] =>
  header.split(" ").flatMap((part) => {
    const [version = "", text = ""] = part.split(",");
    const bytes = fromBase64(text);
    return bytes === null ? [] : [{ version, bytes }];
  });

const matchesOne = async (verifiers: readonly Verifier[], signatures: readonly Signature[], signed: Bytes) => {
  for (const { version, verify } of verifiers) {
    for (const signature of signatures) {
      if (signature.version === version && (await verify(signature.bytes, signed))) return true;
    }
  }
  return false;
};

const assertRecent = (timestamp: string): void => {
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp))
    throw new VerificationError("malformed", "webhook-timestamp is missing or invalid.");
  if (age > toleranceSeconds) throw new VerificationError("expired", "The webhook is older than 5 minutes.");
  if (age < -toleranceSeconds) throw new VerificationError("not_yet_valid", "The webhook is from the future.");
};

/**
 * Checks a webhook's signature and age (Standard Webhooks), and returns its event.
 * @throws VerificationError invalid_signature, expired, not_yet_valid or malformed: respond with status 400.
 */
export const verifyWebhook = async ({ body, headers, secret }: ReceivedWebhook): Promise<WebhookEvent> => {
  const [id, timestamp] = [readHeader(headers, "webhook-id"), readHeader(headers, "webhook-timestamp")];
  assertRecent(timestamp);
  const verifiers = await Promise.all([secret].flat().map(toVerifier));
  const content = typeof body === "string" ? utf8(body) : body;
  const signed = concat(utf8(`${id}.${timestamp}.`), content);
  const signatures = readSignatures(readHeader(headers, "webhook-signature"));
  if (id === "" || !(await matchesOne(verifiers, signatures, signed))) {
    throw new VerificationError("invalid_signature", "No signature of the webhook is valid for this secret.");
  }
  const event = parseMembers(new TextDecoder().decode(content));
  if (event === null || textOrNull(event, "type") === null || textOrNull(event, "id") === null) {
    throw new VerificationError("malformed", "The webhook has no event.");
  }
  return toCamel(event) as WebhookEvent;
};
