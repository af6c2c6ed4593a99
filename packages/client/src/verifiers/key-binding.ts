import { base64url, importJWK, type JWK } from "jose";
import { VerificationError } from "../errors/errors.ts";
import { sha256, utf8 } from "../wire/bytes.ts";
import { isMembers, type Members } from "../wire/members.ts";
import type { SdJwtParts } from "./sd-jwt.ts";
import { numberClaim, objectClaim, textClaim, verifyWithKey } from "./verify-jws.ts";

/** The payment that a holder bound a credential to. */
export type KeyBinding = {
  audience: string;
  nonce: string;
  issuedAt: Date;
  transaction: { amount: number; currency: string; transactionId: string };
};

export type ExpectedBinding = { audience?: string | undefined; nonce?: string | undefined };

/** The service refuses older presentations. */
const maxAgeSeconds = 600;
const leewaySeconds = 60;

const refuse = (
  code: "audience_mismatch" | "nonce_mismatch" | "key_binding_mismatch" | "expired",
  why: string,
): never => {
  throw new VerificationError(code, why);
};

const importHolderKey = async (claims: Members) => {
  const { jwk } = objectClaim(claims, "cnf");
  if (!isMembers(jwk)) throw new VerificationError("key_binding_missing", "The credential names no holder key.");
  const alg = jwk["kty"] === "EC" ? "ES256" : jwk["kty"] === "RSA" ? "PS256" : "EdDSA";
  const key = await importJWK(jwk as JWK, alg).catch(() => null);
  if (key !== null && !(key instanceof Uint8Array)) return key;
  throw new VerificationError("malformed", "The credential's holder key can't be used.");
};

const assertFresh = (iat: number): void => {
  const age = Date.now() / 1000 - iat;
  if (age > maxAgeSeconds || age < -leewaySeconds) refuse("expired", "The presentation isn't recent.");
};

const readTransaction = (binding: Members): KeyBinding["transaction"] => {
  const transaction = objectClaim(binding, "transaction");
  return {
    amount: numberClaim(transaction, "amount"),
    currency: textClaim(transaction, "currency"),
    transactionId: textClaim(transaction, "transaction_id"),
  };
};

/**
 * Checks the key-binding JWT of a presentation (RFC 9901 §7.3).
 * @param claims the issuer's claims, already verified.
 */
export const verifyKeyBinding = async (
  claims: Members,
  { keyBinding, bound }: SdJwtParts,
  expected: ExpectedBinding,
): Promise<KeyBinding> => {
  if (keyBinding === null) throw new VerificationError("key_binding_missing", "The presentation has no key binding.");
  const binding = await verifyWithKey(keyBinding, { key: await importHolderKey(claims), typ: "kb+jwt" });
  const [audience, nonce, iat] = [textClaim(binding, "aud"), textClaim(binding, "nonce"), numberClaim(binding, "iat")];
  if (binding["sd_hash"] !== base64url.encode(await sha256(utf8(bound)))) {
    refuse("key_binding_mismatch", "The key binding belongs to another credential.");
  }
  if (audience !== expected.audience) refuse("audience_mismatch", "The presentation was made for another audience.");
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    refuse("nonce_mismatch", "The presentation doesn't have the expected nonce.");
  assertFresh(iat);
  return { audience, nonce, issuedAt: new Date(iat * 1000), transaction: readTransaction(binding) };
};
