import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from "jose";
import { getDemoKey, type KeyName } from "./demo-keys.ts";

/** The public key for registration. `kid` is its RFC 7638 thumbprint. */
export const publicJwk = async (pair: CryptoKeyPair): Promise<JWK> => {
  const jwk = await exportJWK(pair.publicKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "ES256", use: "sig" };
};

/** private_key_jwt (RFC 7523 §3), valid once and for one minute. */
export const clientAssertion = async (key: KeyName, clientId: string, issuer: string): Promise<string> => {
  const pair = await getDemoKey(key);
  const { kid = "" } = await publicJwk(pair);
  return new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid, typ: "client-authentication+jwt" })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime("60s")
    .sign(pair.privateKey);
};

/** A DPoP proof for one call (RFC 9449 §4.2). */
export const dpopProof = async (method: string, url: string, nonce: string | null): Promise<string> => {
  const pair = await getDemoKey("agent-dpop");
  const { kty = "", crv = "", x = "", y = "" } = await exportJWK(pair.publicKey);
  return new SignJWT({ htm: method, htu: url, ...(nonce ? { nonce } : {}) })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: { kty, crv, x, y } })
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .sign(pair.privateKey);
};

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** PKCE S256 (RFC 7636 §4.2). */
export const codeChallenge = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
