import { calculateJwkThumbprint, compactVerify, errors, importJWK, type JWK } from "jose";
import { consumeProof } from "../data/replay.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { decodeJws } from "../kernel/jws.ts";
import { checkProofClaims, checkProofHeader } from "./rules/dpop.ts";

const nonceContext = "dpop_nonce";
const nonceSeconds = 300;

/** A process hands out one nonce for this long: a proof is single use by its jti, whichever nonce it carries. */
const nonceRenewalSeconds = 10;
const handedOut = new WeakMap<Deps["sealer"], { nonce: string; madeAt: number }>();

const currentNonce = ({ sealer, clock }: Deps): string => {
  const now = clock.now().getTime();
  const known = handedOut.get(sealer);
  if (known && Math.abs(now - known.madeAt) < nonceRenewalSeconds * 1000) return known.nonce;
  const nonce = sealer.seal(String(now), nonceContext);
  handedOut.set(sealer, { nonce, madeAt: now });
  return nonce;
};

/** Stateless: the time, sealed; any process opens it. RFC 9449 §8. */
export const dpopNonceHeaders = (deps: Deps): Record<string, string> =>
  deps.config.dpopNonce === "off"
    ? {}
    : { "dpop-nonce": currentNonce(deps), "access-control-expose-headers": "dpop-nonce" };

const isFreshNonce = ({ sealer, clock }: Deps, nonce: string): boolean => {
  try {
    return clock.now().getTime() - Number(sealer.open(nonce, nonceContext)) < nonceSeconds * 1000;
  } catch {
    // Not sealed by us: RFC 9449 §8.1 answers it as a stale one.
    return false;
  }
};

/** A proof whose signature and claims hold; `consume` it before anything changes. */
export type VerifiedProof = { jkt: string /** once, however often one request calls it */; consume(): Promise<void> };

/**
 * RFC 9449 §4.3, all checks but single use, which `consume` does.
 * @param path of the endpoint, below the issuer.
 * @throws OAuthError invalid_dpop_proof, use_dpop_nonce.
 */
export const verifyDpopProof = async (
  deps: Deps,
  input: { proof: string; method: string; path: string; accessToken: string | null },
): Promise<VerifiedProof> => {
  const { jwk, payload } = await verifyJws(input.proof);
  const checked = checkProofClaims(payload, {
    method: input.method,
    url: `${deps.config.baseUrl}${input.path}`,
    accessTokenHash: input.accessToken === null ? null : sha256Base64url(input.accessToken),
    now: deps.clock.now(),
  });
  checkNonce(deps, checked.nonce);
  const jkt = await calculateJwkThumbprint(jwk);
  const consume = async (): Promise<void> => {
    if (!(await consumeProof(deps.db.sql, { jkt, ...checked }))) {
      throw new OAuthError("invalid_dpop_proof", "the proof has been used before");
    }
  };
  let consuming: Promise<void> | undefined;
  return {
    jkt,
    consume() {
      consuming ??= consume();
      return consuming;
    },
  };
};

const checkNonce = (deps: Deps, nonce: string | null): void => {
  if (deps.config.dpopNonce === "off") return;
  const isMissing = nonce === null;
  if (isMissing ? deps.config.dpopNonce === "required" : !isFreshNonce(deps, nonce)) {
    throw new OAuthError("use_dpop_nonce", "the proof needs a fresh nonce", { headers: dpopNonceHeaders(deps) });
  }
};

const verifyJws = async (proof: string) => {
  const jws = decodeJws(proof);
  if (!jws) throw notSigned();
  const { header, payload } = jws;
  checkProofHeader(header);
  const jwk = header["jwk"] as JWK;
  try {
    await compactVerify(proof, await importJWK(jwk, String(header["alg"])));
  } catch (cause) {
    // The key and the text are the caller's: whatever jose or WebCrypto say of them is the caller's mistake.
    if (cause instanceof errors.JOSEError || cause instanceof TypeError || cause instanceof DOMException) {
      throw notSigned(cause);
    }
    throw cause;
  }
  return { jwk, payload };
};

const notSigned = (cause?: unknown) =>
  new OAuthError("invalid_dpop_proof", "the proof is not a JWT signed by its jwk", { cause });
