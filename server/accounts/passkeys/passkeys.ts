import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { Config } from "../../deps/config.ts";
import type { Assertion, Attestation } from "./passkey.wire.ts";

export const maxPasskeys = 10;

/** EdDSA, ES256, RS256 (RFC 9053 §2, RFC 8812 §2). Every authenticator supports at least one of them. */
export const passkeyAlgorithms = [-8, -7, -257];

type WalletConfig = Pick<Config, "walletUrl" | "environment">;

/** Passkeys belong to the wallet's host and are accepted from the wallet's origin only (WebAuthn §5.1.2, §13.4.9). */
export const relyingParty = ({ walletUrl, environment }: WalletConfig) => {
  const { hostname, origin } = new URL(walletUrl);
  return { id: hostname, origin, name: environment === "sandbox" ? "Paygrant sandbox" : "Paygrant" };
};

const expected = (config: WalletConfig, challenge: string) => {
  const { id, origin } = relyingParty(config);
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
};

/**
 * Checks that the passkey verified its holder and signed this challenge on a page of the wallet (WebAuthn §7.2). The
 * signature counter isn't checked here, but by the statement that stores it.
 * @returns the counter and the backup state; null if the verification fails.
 */
export const verifyAssertion = async (
  config: WalletConfig,
  { id, type, response }: Assertion,
  { challenge, publicKey }: { challenge: string; publicKey: Uint8Array<ArrayBuffer> },
): Promise<{ counter: number; isBackedUp: boolean } | null> => {
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected(config, challenge),
      response: {
        id,
        rawId: id,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      credential: { id, publicKey, counter: 0 },
    });
    const { newCounter: counter, credentialBackedUp: isBackedUp } = authenticationInfo;
    return verified ? { counter, isBackedUp } : null;
  } catch {
    // The library's result depends only on its input, so an error means that the input is invalid.
    return null;
  }
};

type NewCredential = {
  credentialId: string;
  /** COSE_Key */
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  isBackedUp: boolean;
};

/**
 * Checks that an authenticator created this passkey for this challenge on a page of the wallet (WebAuthn §7.1).
 * @returns the passkey; null if the verification fails.
 */
export const verifyAttestation = async (
  config: WalletConfig,
  { id, type, response }: Attestation,
  challenge: string,
): Promise<NewCredential | null> => {
  const { clientDataJSON, attestationObject } = response;
  try {
    if (!isSelfAttested(attestationObject)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expected(config, challenge),
      supportedAlgorithmIDs: passkeyAlgorithms,
      response: {
        id,
        rawId: id,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
    });
    if (!verified || registrationInfo.credential.id !== id) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, isBackedUp: registrationInfo.credentialBackedUp };
  } catch {
    return null;
  }
};

/**
 * Attestation by the manufacturer isn't requested (attestation `none`). Certificates are refused unread, because
 * verifying a certificate would send requests to addresses that the certificate contains.
 */
const isSelfAttested = (attestationObject: string): boolean => {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
};

/** A passkey in the format of WebAuthn options. */
export const toDescriptor = ({ credentialId, transports }: { credentialId: string; transports: string[] }) => ({
  id: credentialId,
  transports,
});
