import type { Deps } from "../deps/deps.ts";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { type DecodedJws, decodeJws, verifyJws } from "../kernel/crypto/jws.ts";
import { isOAuthError } from "../kernel/errors.ts";
import { assertPresent } from "../kernel/rule.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { importProofKey } from "../oauth/tokens/proof-key.ts";
import { otherIssuer, type Presented } from "./presented.ts";
import { type CredentialRefusal, firstRefusal } from "./rules/credential-rule.ts";
import {
  bindingRules,
  bindingSeconds,
  credentialRules,
  namedMandate,
  type PresentationSubject,
} from "./rules/presentation.ts";
import { parsePresented } from "./rules/sd-jwt.ts";

/**
 * Checks an SD-JWT VC that this server issued, and its holder's key binding for this merchant and payment (RFC 9901
 * §7.3; docs/spec/payments.md, Who may use a mandate). The caller checks in the database that the version is current
 * and the presentation unused.
 */
export const verifyPresentation = async (
  deps: Deps,
  input: Pick<PresentationSubject, "merchantId" | "nonce" | "payment"> & { presentation: string },
): Promise<Presented> => {
  const { merchantId, nonce, payment } = input;
  const presented = parsePresented(input.presentation);
  const credential = presented && decodeJws(presented.jwt);
  const binding = presented?.keyBinding ? decodeJws(presented.keyBinding) : null;
  const key = await findIssuerKey(deps, credential);
  let holderJkt: string | null = null;
  const subject: PresentationSubject = {
    presented,
    credential,
    binding,
    merchantId,
    nonce,
    payment,
    issuer: deps.config.baseUrl,
    otherIssuer: otherIssuer(deps.config),
    isSigned: () => credential !== null && key !== null && verifyJws(credential, key.publicKey),
    isBindingSigned: () => {
      holderJkt = credential && binding && findHolder(credential, binding);
      return holderJkt !== null;
    },
    now: deps.clock.now(),
    businessNow: await deps.businessClock.now(),
  };
  const refusal = firstRefusal(credentialRules, subject);
  if (refusal) return { refusal, mandateId: null };
  const { mandateId, version } = namedMandate(subject);
  const misuse: CredentialRefusal | null = firstRefusal(bindingRules, subject);
  if (misuse) return { refusal: misuse, mandateId };
  return {
    refusal: null,
    mandateId,
    version,
    token: null,
    kid: key?.kid ?? null,
    holderJkt: assertPresent<string>(holderJkt),
    // A hash of the signed text, not of the signature: from one ES256 signature anyone can derive another for the same
    // text.
    useHash: sha256Base64url(binding?.signingInput ?? ""),
    usableUntil: addSeconds(new Date(Number(binding?.payload["iat"]) * 1000), bindingSeconds),
  };
};

const findIssuerKey = async ({ keys }: Deps, credential: DecodedJws | null) => {
  const kid = credential?.header["kid"];
  if (typeof kid !== "string") return null;
  return keys.findVerificationKey(kid, "credential") ?? (await keys.awaitVerificationKey(kid, "credential"));
};

/**
 * Uses the key that we wrote into `cnf`. It was checked when the credential was issued.
 * @returns the thumbprint of the key; null if this key didn't sign the binding.
 */
const findHolder = (credential: DecodedJws, binding: DecodedJws): string | null => {
  const { jwk } = credential.payload["cnf"] as { jwk: Readonly<Record<string, unknown>> };
  try {
    const { key, jkt } = importProofKey(jwk);
    return verifyJws(binding, key) ? jkt : null;
  } catch (error) {
    if (isOAuthError(error)) return null;
    throw error;
  }
};
