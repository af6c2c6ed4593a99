import { z } from "zod";
import { consumePasskeyChallenge, insertPasskeyChallenge, type PasskeyPurpose } from "../../data/accounts/passkeys.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

/** The time that a person has to find and unlock a device and to confirm. */
const challengeSeconds = 300;
export const ceremonyMilliseconds = challengeSeconds * 1_000;

/** The purpose of a challenge. `sessionId`: the session that requested it; null before sign-in. */
type ChallengeScope = { purpose: PasskeyPurpose; sessionId: string | null };

/** Stores the hash of a challenge, which is valid once and for a short time. */
export const storeChallenge = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  challenge: string,
  scope: ChallengeScope,
): Promise<void> => {
  const expiresAt = addSeconds(clock.now(), challengeSeconds);
  await insertPasskeyChallenge(db, { ...scope, hash: sha256Base64url(challenge), expiresAt });
};

const clientData = z.object({
  challenge: z.string().max(200),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.never().optional(),
});

/** The signed challenge; null for malformed data, or for a page in a frame of another site (WebAuthn §7.1, §7.2). */
const challengeOf = (clientDataJson: string): string | null => {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJson, "base64url").toString())).challenge;
  } catch {
    return null;
  }
};

/**
 * Consumes a challenge and runs the work in one transaction. At most one caller per challenge runs the work, and only
 * in the scope of the challenge. If the work returns a refusal, the transaction commits, so that the consumed challenge
 * and the audit entries are kept. If the work throws an error, nothing is kept.
 * @throws DomainError passkey_challenge_gone, or the error that the work returned or threw.
 */
export const runCeremony = async <T>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { clientDataJson, ...scope }: ChallengeScope & { clientDataJson: string },
  work: (tx: Tx, challenge: string) => Promise<T | DomainError>,
): Promise<T> => {
  const challenge = challengeOf(clientDataJson);
  if (challenge === null) throw challengeRefusal();
  const outcome = await db.transaction(async (tx) => {
    const hash = sha256Base64url(challenge);
    const isOurs = await consumePasskeyChallenge(tx, { ...scope, hash, now: clock.now() });
    return isOurs ? work(tx, challenge) : challengeRefusal();
  });
  if (isDomainError(outcome)) throw outcome;
  return outcome;
};

const challengeRefusal = () =>
  new DomainError("conflict", {
    code: "passkey_challenge_gone",
    message: "The passkey request expired or was already used. Try again.",
  });
