import { base64url } from "jose";
import type { Answer } from "../http/answer.ts";
import { sha256, utf8 } from "../wire/bytes.ts";
import { parseMembers } from "../wire/members.ts";
import { bareJwk, type KeyPair, signWith } from "./key-pair.ts";

/** How long a nonce is used: less than the 300 seconds for which the service accepts it. */
const nonceMs = 240_000;
const maxOrigins = 100;

/** The last nonce of each server (RFC 9449 §8.2). */
const nonces = new Map<string, { nonce: string; at: number }>();

const currentNonce = (url: string): string | null => {
  const known = nonces.get(new URL(url).origin);
  return known && performance.now() - known.at < nonceMs ? known.nonce : null;
};

const rememberNonce = (url: string, nonce: string): void => {
  const { origin } = new URL(url);
  nonces.delete(origin);
  if (nonces.size >= maxOrigins) nonces.delete(nonces.keys().next().value ?? "");
  nonces.set(origin, { nonce, at: performance.now() });
};

/**
 * Remembers the nonce of a response. @returns whether the server demands a proof with this nonce (RFC 9449 §8 and §9).
 */
export const observeNonce =
  (url: string) =>
  ({ status, headers, text }: Answer): boolean => {
    const nonce = headers.get("dpop-nonce");
    if (nonce !== null) rememberNonce(url, nonce);
    const isRefusal = status === 400 || status === 401;
    return nonce !== null && isRefusal && parseMembers(text)?.["error"] === "use_dpop_nonce";
  };

type ProvenRequest = { method: string; url: string; accessToken?: string };

/** A DPoP proof for one request (RFC 9449 §4.2). */
export const signDpopProof = async (key: KeyPair, { method, url, accessToken }: ProvenRequest): Promise<string> => {
  const nonce = currentNonce(url);
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: url.split(/[?#]/)[0] ?? url,
    iat: Math.floor(Date.now() / 1000),
    ...(accessToken === undefined ? {} : { ath: base64url.encode(await sha256(utf8(accessToken))) }),
    ...(nonce === null ? {} : { nonce }),
  };
  return signWith(key, { typ: "dpop+jwt", jwk: bareJwk(key) }, claims);
};
