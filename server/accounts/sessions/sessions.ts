import { insertSession } from "../../data/accounts/accounts.ts";
import type { Tx } from "../../data/client.ts";
import type { RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

export const sessionSeconds = 14 * 24 * 3600;

/** Authentication context class of a password without a second factor; tokens contain it as `acr` (RFC 9470 §4). */
export const passwordAcr = "urn:paygrant:acr:password";

/**
 * The class of a passkey with user verification, which counts as two factors and is resistant to phishing (WebAuthn
 * §1.2).
 */
export const passkeyAcr = "urn:paygrant:acr:passkey";

/** The class of a recovery code. Clients can't request it: it replaces a lost passkey or password. */
export const recoveryCodeAcr = "urn:paygrant:acr:recovery_code";

/** @returns the secret for the cookie. Only its hash is stored. */
export const openSession = async (
  tx: Tx,
  input: { accountId: string; acr: string; info: RequestInfo; now: Date },
): Promise<{ sessionId: string; secret: string }> => {
  const secret = newSecret();
  const sessionId = newId("ses");
  await insertSession(tx, {
    id: sessionId,
    secretHash: sha256Base64url(secret),
    accountId: input.accountId,
    now: input.now,
    expiresAt: addSeconds(input.now, sessionSeconds),
    acr: input.acr,
    // A passkey that verified its user counts as two factors.
    secondFactorAt: input.acr === passkeyAcr ? input.now : null,
    userAgent: input.info.userAgent,
    ipAddress: input.info.ipAddress,
  });
  return { sessionId, secret };
};
