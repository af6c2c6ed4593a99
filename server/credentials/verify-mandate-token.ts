import type { Deps } from "../deps/deps.ts";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { decodeJws } from "../kernel/crypto/jws.ts";
import { isOAuthError } from "../kernel/errors.ts";
import { findTokenLiveness } from "../oauth/tokens/verify-access-token.ts";
import { readMandateTokenJwt } from "../oauth/tokens/verify-access-token-jwt.ts";
import { type VerifiedProof, verifyDpopProof } from "../oauth/tokens/verify-dpop-proof.ts";
import { otherIssuer, type Presented } from "./presented.ts";
import { type CredentialRefusal, firstRefusal } from "./rules/credential-rule.ts";
import { mandateTokenRules, proofRefusal } from "./rules/mandate-token.ts";

/**
 * Checks a mandate token for this merchant with the holder's proof for this request (docs/spec/payments.md, Who may use
 * a mandate).
 * @param path the path of the merchant's request, which the proof must name.
 */
export const verifyMandateToken = async (
  deps: Deps,
  input: { token: string; proof: string | null; merchantId: string; path: string },
): Promise<Presented> => {
  const { token, proof, merchantId, path } = input;
  const signed = await readMandateTokenJwt(deps, token);
  const [details] = signed?.authorization_details ?? [];
  const mandateId = typeof details?.["identifier"] === "string" ? details["identifier"] : null;
  const refusal = firstRefusal(mandateTokenRules, {
    unverified: decodeJws(token)?.payload ?? null,
    signed,
    merchantId,
    hasProof: proof !== null,
    issuer: deps.config.baseUrl,
    otherIssuer: otherIssuer(deps.config),
    environment: deps.config.environment,
    now: deps.clock.now(),
  });
  if (refusal) return { refusal, mandateId };
  if (!signed || !details || mandateId === null || proof === null)
    throw new Error("a rule accepted a token without claims or proof");
  const proved = await prove(deps, { proof, path, token, jkt: signed.cnf?.jkt ?? null });
  if ("code" in proved) return { refusal: proved, mandateId };
  return {
    refusal: null,
    mandateId,
    version: null,
    token: { spendId: signed.spend_id, details, isLive: (await findTokenLiveness(deps, signed)) !== null },
    kid: null,
    holderJkt: proved.jkt,
    useHash: sha256Base64url(`${proved.jkt}.${proved.jti}`),
    // Spending with the token is summed from the recorded uses, so this record is kept until the token expires. The
    // proof expires earlier.
    usableUntil: new Date(signed.exp * 1000),
  };
};

/** Checks the agent's proof for the merchant's request (RFC 9449 §4.3 and §7.1). */
const prove = async (
  deps: Deps,
  input: { proof: string; path: string; token: string; jkt: string | null },
): Promise<VerifiedProof | CredentialRefusal> => {
  try {
    const { proof, path, token } = input;
    const verified = await verifyDpopProof(deps, { proof, method: "POST", path, accessToken: token });
    return verified.jkt === input.jkt ? verified : proofRefusal(null);
  } catch (error) {
    if (isOAuthError(error)) return proofRefusal(error.rule);
    throw error;
  }
};
