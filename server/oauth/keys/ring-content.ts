import { createPrivateKey, createPublicKey, type JsonWebKey } from "node:crypto";
import type { JWK } from "jose";
import { type SigningKeyRow, versionOf } from "../../data/oauth/signing-keys.ts";
import type { PublishedJwks, SigningKey, VerificationKey } from "../../deps/key-ring.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import type { Sealer } from "../../kernel/crypto/seal.ts";
import { isInSet, type KeyPurpose, type KeySetName, keyPurposes, keySetNames } from "../../kernel/key-purpose.ts";
import { sealContext } from "./generate-signing-key.ts";

/** One version of the ring. Immutable; replaced as a whole. */
export type RingContent = {
  version: string;
  signing: ReadonlyMap<KeyPurpose, SigningKey>;
  verification: ReadonlyMap<string, VerificationKey>;
  sets: ReadonlyMap<KeySetName, KeySet>;
};

type KeySet = {
  jwks: { keys: JWK[] };
  fresh: PublishedJwks;
  /** the same body, but not cacheable: for a node that may be outdated */
  stale: PublishedJwks;
};

const alg = "ES256";

/** @throws Error if a private key was sealed for another row or with another master key. */
export const toRingContent = (
  rows: readonly SigningKeyRow[],
  { sealer, jwksMaxAgeSeconds }: { sealer: Sealer; jwksMaxAgeSeconds: number },
): RingContent => {
  const signing = new Map<KeyPurpose, SigningKey>();
  const verification = new Map<string, VerificationKey>();
  for (const row of rows) {
    const { kid, privateSealed } = row;
    const purpose = keyPurposes.find((known) => known === row.purpose);
    if (!purpose) continue;
    verification.set(kid, { kid, alg, purpose, publicKey: createPublicKey(asJwk(row.publicJwk)) });
    if (row.state !== "active" || privateSealed === null) continue;
    const privateKey = createPrivateKey(asJwk(JSON.parse(sealer.open(privateSealed, sealContext(row)))));
    signing.set(purpose, { kid, alg, privateKey });
  }
  const sets = keySetNames.map((name): [KeySetName, KeySet] => {
    const published = rows.filter(({ purpose }) => isInSet(name, purpose));
    return [name, toKeySet(published, jwksMaxAgeSeconds)];
  });
  return { version: versionOf(rows), signing, verification, sets: new Map(sets) };
};

const toKeySet = (rows: readonly SigningKeyRow[], maxAgeSeconds: number): KeySet => {
  const jwks = { keys: rows.map(({ publicJwk }) => publicJwk) };
  const body = Buffer.from(JSON.stringify(jwks));
  const content = { body, etag: `"${sha256Base64url(body)}"` };
  return {
    jwks,
    fresh: { ...content, cacheControl: `public, max-age=${maxAgeSeconds}` },
    stale: { ...content, cacheControl: "no-cache" },
  };
};

const asJwk = (key: unknown) => ({ key: key as JsonWebKey, format: "jwk" as const });
