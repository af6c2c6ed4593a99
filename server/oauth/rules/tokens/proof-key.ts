import { defineRules } from "../../../kernel/rule.ts";
import { type KeyQuality, keyQuality } from "../clients/key-quality.ts";

const shared = {
  places: ["pushAuthorizationRequest", "token", "every access token"],
  error: "invalid_dpop_proof",
  names: "the proof's jwk",
} as const;

/** The public members of a key. */
const keyMembers = ["kty", "crv", "e", "n", "x", "y"] as const;

export const proofKeyFormRules = defineRules<Readonly<Record<string, unknown>>>("DPoP proof, jwk", shared, [
  {
    // This is checked before the key is serialized, because serialization fails for deeply nested values.
    name: "proof-key-text",
    source: "RFC 7517 §4",
    problem: "a member is not a string",
    holds: (jwk) => keyMembers.every((name) => jwk[name] === undefined || typeof jwk[name] === "string"),
  },
]);

type Judged = { quality: KeyQuality };

export const proofKeyRules = defineRules<Judged>("DPoP proof, key quality", shared, keyQuality<Judged>("proof-key"));

const { names: _, ...unnamed } = shared;

export const importedProofKeyRules = defineRules<{ isKey: boolean }>("DPoP proof, jwk imported", unnamed, [
  {
    // The import fails, for example, for a point that isn't on the curve.
    name: "proof-key-usable",
    source: "RFC 8725 §3.4",
    problem: "the proof's jwk is not a valid key",
    holds: ({ isKey }) => isKey,
  },
]);

export const proofKeyTextRules = defineRules<{ isOneForm: boolean }>("DPoP proof, encoding of the jwk", shared, [
  {
    // Leading zeros and unused trailing bits would give one key several thumbprints.
    name: "proof-key-one-form",
    source: "RFC 7518 §6.2.1.2, §6.3.1.1",
    problem: "a member is not in canonical base64url",
    holds: ({ isOneForm }) => isOneForm,
  },
]);
