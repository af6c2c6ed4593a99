import { consumeProof } from "../../data/oauth/replay.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { decodeJws, verifyJws } from "../../kernel/crypto/jws.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { routeUrl } from "../rules/scopes.ts";
import {
  checkProofClaims,
  checkProofHeader,
  proofFormRules,
  proofNonceRules,
  proofSignatureRules,
  proofUseRules,
} from "../rules/tokens/dpop.ts";
import { importProofKey } from "./proof-key.ts";

const nonceContext = "dpop_nonce";
const nonceSeconds = 300;

/** How long a process issues the same nonce. The jti makes a proof usable only once; the nonce doesn't. */
const nonceRenewalSeconds = 10;
const issuedNonces = new WeakMap<Deps["sealer"], { nonce: string; madeAt: number }>();

const currentNonce = ({ sealer, clock }: Deps): string => {
  const now = clock.now().getTime();
  const known = issuedNonces.get(sealer);
  if (known && Math.abs(now - known.madeAt) < nonceRenewalSeconds * 1000) return known.nonce;
  const nonce = sealer.seal(String(now), nonceContext);
  issuedNonces.set(sealer, { nonce, madeAt: now });
  return nonce;
};

/** Stateless: the sealed time, which every process can open (RFC 9449 §8). */
export const dpopNonceHeaders = (deps: Deps): Record<string, string> =>
  deps.config.dpopNonce === "off" ? {} : { "dpop-nonce": currentNonce(deps) };

const isFreshNonce = ({ sealer, clock }: Deps, nonce: string): boolean => {
  try {
    return clock.now().getTime() - Number(sealer.open(nonce, nonceContext)) < nonceSeconds * 1000;
  } catch {
    // Not sealed by us: handled as stale (RFC 9449 §8.1).
    return false;
  }
};

/** Whether the error requests another proof with a nonce (RFC 9449 §8). */
export const isNonceDemand = (error: unknown): boolean => isOAuthError(error) && error.code === "use_dpop_nonce";

/** A proof with valid signature and claims. Call `consume` before anything is written. */
export type VerifiedProof = {
  jkt: string;
  jti: string;
  /** consumes the proof once, even if one request calls this several times */
  consume(): Promise<void>;
};

/**
 * Does all checks of RFC 9449 §4.3 except single use, which `consume` checks.
 * @param path of the endpoint’s route.
 * @throws OAuthError invalid_dpop_proof, use_dpop_nonce.
 */
export const verifyDpopProof = async (
  deps: Deps,
  input: { proof: string; method: string; path: string; accessToken: string | null },
): Promise<VerifiedProof> => {
  const { jkt, payload } = readProof(input.proof);
  const checked = checkProofClaims(payload, {
    method: input.method,
    url: routeUrl(input.path, deps.config),
    accessTokenHash: input.accessToken === null ? null : sha256Base64url(input.accessToken),
    now: deps.clock.now(),
  });
  checkNonce(deps, checked.nonce);
  const consume = async (): Promise<void> => {
    checkRules(proofUseRules, await consumeProof(deps.db.sql, { jkt, ...checked }));
  };
  let consuming: Promise<void> | undefined;
  return {
    jkt,
    jti: checked.jti,
    consume() {
      consuming ??= consume();
      return consuming;
    },
  };
};

const checkNonce = (deps: Deps, nonce: string | null): void => {
  const use = { nonce, mode: deps.config.dpopNonce, isFresh: (sent: string) => isFreshNonce(deps, sent) };
  checkRules(proofNonceRules, use, () => ({ headers: dpopNonceHeaders(deps) }));
};

/** Checks 2 to 7 of RFC 9449 §4.3. */
const readProof = (proof: string): { jkt: string; payload: Readonly<Record<string, unknown>> } => {
  const decoded = decodeJws(proof);
  checkRules(proofFormRules, { isJwt: decoded !== null });
  const jws = assertPresent(decoded);
  checkProofHeader(jws.header);
  const { key, jkt } = importProofKey(jws.header["jwk"] as Readonly<Record<string, unknown>>);
  checkRules(proofSignatureRules, { isSigned: () => verifyJws(jws, key) });
  return { jkt, payload: jws.payload };
};
