import { defineRules } from "../../kernel/rule.ts";
import { type KeyQuality, keyQuality } from "./key-quality.ts";

const shared = {
  places: ["pushAuthorizationRequest", "token", "every access token"],
  error: "invalid_dpop_proof",
  names: "the proof's jwk",
} as const;

/** All that a key is, private members aside. */
const keyMembers = ["kty", "crv", "e", "n", "x", "y"] as const;

export const proofKeyFormRules = defineRules<Readonly<Record<string, unknown>>>("DPoP proof, jwk", shared, [
  {
    // Before they are written out again, which a value nested deeply enough would not survive.
    name: "proof-key-text",
    source: "RFC 7517 §4",
    problem: "a member is no text",
    holds: (jwk) => keyMembers.every((name) => jwk[name] === undefined || typeof jwk[name] === "string"),
  },
]);

type Judged = { quality: KeyQuality };

export const proofKeyRules = defineRules<Judged>("DPoP proof, key quality", shared, keyQuality<Judged>("proof-key"));

const { names: _, ...unnamed } = shared;

export const importedProofKeyRules = defineRules<{ isKey: boolean }>("DPoP proof, jwk imported", unnamed, [
  {
    // For one a point that is not on the curve.
    name: "proof-key-usable",
    source: "RFC 8725 §3.4",
    problem: "the proof's jwk is no key",
    holds: ({ isKey }) => isKey,
  },
]);
