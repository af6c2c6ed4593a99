import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { compactVerify, decodeProtectedHeader } from "jose";

export type JwksReader = {
  /** @throws Error if the cached copy doesn't contain the key, or if the signature is invalid. */
  verify(jws: string): Promise<void>;
  /** how many copies this reader has fetched */
  fetched(): number;
};

type Copy = { keys: ReadonlyMap<string, KeyObject>; requestedAt: number; until: number };

/**
 * Caches the JWKS exactly as long as Cache-Control allows, and fetches a new copy only after that time. The time counts
 * from the request of the cached copy (RFC 9111 §4.2.3).
 */
export const createJwksReader = (jwksUrl: string): JwksReader => {
  let latest: Copy | null = null;
  let reading: Promise<Copy> | null = null;
  let fetched = 0;

  const read = async (): Promise<Copy> => {
    const requestedAt = performance.now();
    const response = await fetch(jwksUrl);
    if (response.status !== 200) throw new Error(`JWKS: ${response.status}`);
    const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
    const maxAge = /\bmax-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1] ?? "0";
    fetched += 1;
    latest = {
      keys: new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: "jwk" })])),
      requestedAt,
      until: requestedAt + Number(maxAge) * 1000,
    };
    return latest;
  };

  const current = async (): Promise<Copy> => {
    const neededAt = performance.now();
    for (;;) {
      if (latest && (latest.requestedAt >= neededAt || performance.now() < latest.until)) return latest;
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
  };

  return {
    async verify(jws) {
      const { kid = "", alg = "" } = decodeProtectedHeader(jws);
      const key = (await current()).keys.get(kid);
      if (!key) throw new Error("the cached JWKS has no such key");
      await compactVerify(jws, key, { algorithms: [alg] });
    },
    fetched: () => fetched,
  };
};
