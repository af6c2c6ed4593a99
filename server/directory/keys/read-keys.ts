import { thumbprintOfKey } from "../../kernel/crypto/jwk-thumbprint.ts";
import { importPublicJwk } from "../../kernel/crypto/jws.ts";

/** A public key (RFC 7517): what identifies and describes it, without any other member. */
type PublicJwk = { kty?: string; kid?: string; alg?: string; use?: string; [member: string]: unknown };

/** @param thumbprint RFC 7638, SHA-256. */
export type HeldKey = { thumbprint: string; jwk: PublicJwk };

/** The usable keys of a participant's key sets, each key once, by thumbprint. */
export const readKeys = (jwks: readonly unknown[]): HeldKey[] => {
  const byThumbprint = new Map<string, PublicJwk>();
  for (const jwk of jwks) {
    if (typeof jwk !== "object" || jwk === null) continue;
    const key = importPublicJwk(jwk);
    if (!key) continue;
    const { kid, alg, use } = jwk as Readonly<Record<string, unknown>>;
    const named = Object.entries({ kid, alg, use }).filter(([, value]) => typeof value === "string");
    byThumbprint.set(thumbprintOfKey(key), { ...key.export({ format: "jwk" }), ...Object.fromEntries(named) });
  }
  return [...byThumbprint]
    .map(([thumbprint, jwk]) => ({ thumbprint, jwk }))
    .toSorted((left, right) => (left.thumbprint < right.thumbprint ? -1 : 1));
};
