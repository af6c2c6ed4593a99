import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export type Signer = { privateKey: CryptoKey; publicJwk: JWK };

export const makeKey = async (kid = "test"): Promise<Signer> => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
};

type AssertionOptions = { header?: object; claims?: Record<string, unknown>; now?: Date };

/** A client assertion (RFC 7523 §3). Header and claims can be overridden. */
export const signAssertion = (
  client: { id: string; privateKey: CryptoKey },
  audience: string,
  { header, claims, now = new Date() }: AssertionOptions = {},
): Promise<string> => {
  const iat = Math.floor(now.getTime() / 1000);
  const standard = { iss: client.id, sub: client.id, aud: audience, jti: randomUUID(), iat, exp: iat + 60 };
  return new SignJWT({ ...standard, ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "test", ...header })
    .sign(client.privateKey);
};

type ProofOptions = {
  method?: string;
  url: string;
  accessToken?: string;
  header?: object;
  claims?: Record<string, unknown>;
  now?: Date;
};

/** A DPoP proof (RFC 9449 §4.2). Header and claims can be overridden. */
export const signProof = (key: Signer, options: ProofOptions): Promise<string> => {
  const { kty, crv, x, y } = key.publicJwk;
  const claims = {
    jti: randomUUID(),
    htm: options.method ?? "POST",
    htu: options.url,
    iat: Math.floor((options.now ?? new Date()).getTime() / 1000),
    ...(options.accessToken ? { ath: createHash("sha256").update(options.accessToken).digest("base64url") } : {}),
    ...options.claims,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: { kty, crv, x, y } as JWK, ...options.header })
    .sign(key.privateKey);
};

export const makePkce = () => {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
};

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export const formBody = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
