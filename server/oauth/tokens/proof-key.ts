import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { thumbprintMembers } from "../../kernel/crypto/jwk-thumbprint.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { readQuality } from "../rules/clients/key-quality.ts";
import {
  importedProofKeyRules,
  proofKeyFormRules,
  proofKeyRules,
  proofKeyTextRules,
} from "../rules/tokens/proof-key.ts";

/** The imported key of a proof. `jkt`: its RFC 7638 thumbprint, base64url SHA-256. */
export type ProofKey = { key: KeyObject; jkt: string };

/** Agents reuse their keys, so recent keys are cached. The cache key is the members of the JWK as sent. */
const imported = new Map<string, ProofKey>();
const maxImported = 5_000;

/**
 * Imports the key of a DPoP proof's header. The key must be public, have a supported algorithm, and not be so weak that
 * others can forge its signatures.
 * @throws OAuthError invalid_dpop_proof.
 */
export const importProofKey = (jwk: Readonly<Record<string, unknown>>): ProofKey => {
  checkRules(proofKeyFormRules, jwk);
  const members = thumbprintMembers(jwk);
  const known = imported.get(members);
  if (known) return known;
  const quality = readQuality(jwk);
  checkRules(proofKeyRules, { quality });
  const key = toPublicKey(members);
  checkRules(proofKeyTextRules, { isOneForm: thumbprintMembers({ ...key.export({ format: "jwk" }) }) === members });
  const made = { key, jkt: sha256Base64url(members) };
  if (imported.size >= maxImported) imported.delete(imported.keys().next().value ?? "");
  imported.set(members, made);
  return made;
};

const toPublicKey = (members: string): KeyObject => {
  let key: KeyObject | null = null;
  let cause: unknown;
  try {
    key = createPublicKey({ key: JSON.parse(members) as JsonWebKey, format: "jwk" });
  } catch (error) {
    cause = error;
  }
  checkRules(importedProofKeyRules, { isKey: key !== null }, () => ({ cause }));
  return assertPresent(key);
};
