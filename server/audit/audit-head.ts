import { calculateJwkThumbprint, type decodeProtectedHeader, EmbeddedJWK, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { AuditChainRow } from "../data/audit/audit-chain.ts";
import type { Deps } from "../deps/deps.ts";
import { epochSeconds } from "../kernel/time/clock.ts";

/**
 * The end of every shard's chain at an instant. If it is stored outside the database, it proves the whole log up to
 * that instant.
 */
export type AuditHead = {
  issuer: string;
  issuedAt: Date;
  /** RFC 7638 thumbprint of the key that signed the head */
  kid: string;
  shards: { shard: number; number: number; hash: string; madeAt: Date | null }[];
};

const typ = "paygrant-audit-head+jwt";

const claimsSchema = z.object({
  iss: z.string(),
  iat: z.int(),
  shards: z.array(
    z.object({ shard: z.int(), number: z.int(), hash: z.string(), made_at: z.iso.datetime().nullable() }),
  ),
});

/**
 * Signs a head with the receipt key. The head contains the public key, so that it can still be verified long after the
 * key was removed from the JWKS.
 */
export const signAuditHead = async (
  { config, clock, keys }: Pick<Deps, "config" | "clock" | "keys">,
  chains: readonly Pick<AuditChainRow, "shard" | "number" | "hash" | "madeAt">[],
): Promise<string> => {
  const { alg, kid, privateKey } = keys.signingKey("receipt");
  const published = keys.jwks().keys.find((key) => key.kid === kid);
  if (!published) throw new Error("the receipt key is not published");
  const { kty, crv, x, y } = published;
  const claims = {
    iss: config.baseUrl,
    iat: epochSeconds(clock.now()),
    shards: chains.map(({ shard, number, hash, madeAt }) => ({
      shard,
      number,
      hash,
      made_at: madeAt?.toISOString() ?? null,
    })),
  };
  const jwk = { kty, crv, x, y } as NonNullable<ReturnType<typeof decodeProtectedHeader>["jwk"]>;
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ, jwk }).sign(privateKey);
};

/**
 * Verifies a head with the key that it contains. To check that the key belongs to the service, the verifier compares
 * the key's kid with the published one.
 * @throws Error if the token isn't a head or was altered.
 */
export const readAuditHead = async (token: string): Promise<AuditHead> => {
  const { payload, protectedHeader } = await jwtVerify(token.trim(), EmbeddedJWK, { typ, algorithms: ["ES256"] });
  const kid = protectedHeader.kid ?? "";
  if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== kid) {
    throw new Error("the head is signed by a different key than it names");
  }
  const { iss, iat, shards } = claimsSchema.parse(payload);
  return {
    issuer: iss,
    issuedAt: new Date(iat * 1000),
    kid,
    shards: shards.map(({ made_at, ...rest }) => ({ ...rest, madeAt: made_at === null ? null : new Date(made_at) })),
  };
};
