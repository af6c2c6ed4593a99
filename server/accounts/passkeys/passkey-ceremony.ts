import { z } from "zod";
import { consumePasskeyChallenge, insertPasskeyChallenge, type PasskeyPurpose } from "../../data/accounts/passkeys.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

/** As long as a person may take: to find a phone, unlock it and agree. */
const challengeSeconds = 300;
export const ceremonyMilliseconds = challengeSeconds * 1_000;

/** What a challenge is for, and the session whose page asks; null before there is one. */
type Occasion = { purpose: PasskeyPurpose; sessionId: string | null };

/** Keeps what a passkey was asked to sign, so that it counts once and soon; only its hash is kept. */
export const keepChallenge = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  challenge: string,
  occasion: Occasion,
): Promise<void> => {
  const expiresAt = addSeconds(clock.now(), challengeSeconds);
  await insertPasskeyChallenge(db, { ...occasion, hash: sha256Base64url(challenge), expiresAt });
};

const clientData = z.object({ challenge: z.string().max(200), crossOrigin: z.literal(false).optional() });

/** What was signed; null where that is malformed, or a page of ours stood inside another site's (WebAuthn §7.2). */
const challengeOf = (clientDataJson: string): string | null => {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJson, "base64url").toString())).challenge;
  } catch {
    return null;
  }
};

/**
 * One answer to a challenge: in one transaction uses the challenge up and does the work. At most one caller per challenge
 * comes that far, on the occasion that it was made for; what the work refuses is returned, so that its entries stay and
 * the challenge is gone.
 * @throws DomainError passkey_challenge_gone, or what the work returned.
 */
export const inCeremony = async <T>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { clientDataJson, ...occasion }: Occasion & { clientDataJson: string },
  work: (tx: Tx, challenge: string) => Promise<T | DomainError>,
): Promise<T> => {
  const challenge = challengeOf(clientDataJson);
  if (challenge === null) throw challengeGone();
  const outcome = await db.transaction(async (tx) => {
    const hash = sha256Base64url(challenge);
    const isOurs = await consumePasskeyChallenge(tx, { ...occasion, hash, now: clock.now() });
    return isOurs ? work(tx, challenge) : challengeGone();
  });
  if (isDomainError(outcome)) throw outcome;
  return outcome;
};

const challengeGone = () =>
  new DomainError("conflict", "passkey_challenge_gone", "The passkey request expired or was already used. Try again.");
