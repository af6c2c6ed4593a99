import { secretsEqual, sha256Base64url } from "../../../kernel/crypto/hash.ts";

/** 43 to 128 unreserved characters (RFC 7636 §4.1). */
const isCodeVerifier = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text);

/** RFC 7636 §4.6, S256 only. */
export const verifierMatches = (verifier: string, challenge: string): boolean =>
  isCodeVerifier(verifier) && secretsEqual(sha256Base64url(verifier), challenge);
