import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type JwsAlgorithm, signJws } from "../../kernel/crypto/jws.ts";

export type FederationKey = { kid: string; jwk: Record<string, unknown>; privateKey: KeyObject };

export const makeFederationKey = (kid: string): FederationKey => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { kid, jwk: { ...publicKey.export({ format: "jwk" }), kid }, privateKey };
};

type Claims = Readonly<Record<string, unknown>>;
type Wish = { keys: readonly FederationKey[]; signer?: FederationKey; typ?: string; claims?: Claims };

/** The configuration of a leaf entity, signed by the first key. `claims` replaces members. */
export const configurationOf = (
  { entityId, anchorId, nowSeconds }: { entityId: string; anchorId: string; nowSeconds: number },
  { keys, signer = keys[0], typ = "entity-statement+jwt", claims = {} }: Wish,
): string => {
  if (!signer) throw new Error("a configuration needs a key");
  const content = {
    iss: entityId,
    sub: entityId,
    iat: nowSeconds,
    exp: nowSeconds + 24 * 3600,
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    authority_hints: [anchorId],
    metadata: { federation_entity: {}, oauth_client: { client_name: "Grocer Bot" } },
    ...claims,
  };
  const algorithm: JwsAlgorithm = "ES256";
  return signJws({ alg: algorithm, typ, kid: signer.kid }, content, signer.privateKey);
};
