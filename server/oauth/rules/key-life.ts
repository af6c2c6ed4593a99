import {
  federationStatementSeconds,
  isFederationPurpose,
  type KeyPurpose,
  keyPurposes,
} from "../../kernel/key-purpose.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { accessTokenSeconds } from "./tokens/tokens.ts";

/**
 * next: published, doesn't sign yet. active: signs. retired: the private key is destroyed, the public key stays
 * published until everything it signed has expired. deleted: unpublished, kept for the audit. revoked: nothing it
 * signed is valid.
 */
type KeyState = "next" | "active" | "retired" | "deleted" | "revoked";

const day = 24 * 3600;
export const rotationSeconds = 30 * day;

/** A node's JWKS response is cacheable only if its ring was compared with the database within this time. */
export const ringFreshSeconds = 2;
/** A node that couldn't compare its ring for longer than this neither signs nor verifies. */
export const ringUsableSeconds = 30;
/** Maximum clock difference of two nodes. */
const leewaySeconds = 2;

/**
 * How long a key is published before it signs: a reader may cache an earlier JWKS for `max-age`, from a node that was
 * up to `ringFreshSeconds` behind.
 */
export const publishAheadSeconds = (jwksMaxAgeSeconds: number): number =>
  jwksMaxAgeSeconds + ringFreshSeconds + leewaySeconds;

/** Maximum time that a node may sign with the old key after a rotation, clock difference included. */
export const latecomerSeconds = 2 * ringUsableSeconds;

/** How long after a key's last signature its signatures may still be verified. */
const reliedOnSeconds: Readonly<Record<KeyPurpose, number>> = {
  access_token: Math.max(...Object.values(accessTokenSeconds)),
  // Merchants present receipts in disputes, which card schemes allow for more than a year.
  receipt: 400 * day,
  // This time is for status lists. Credentials are valid until their mandates end: see `lastMandateEnd`.
  credential: 12 * 3600,
  // The key list is valid for a day, a software statement for at most three months.
  directory: 92 * day,
  federation_anchor: federationStatementSeconds,
  federation_server: federationStatementSeconds,
};

/** The time until which a key stays in the JWKS if it stops signing now. */
export const publishUntil = (purpose: KeyPurpose, now: Date, lastMandateEnd: Date | null): Date => {
  const byAge = addSeconds(now, reliedOnSeconds[purpose] + latecomerSeconds);
  return purpose === "credential" && lastMandateEnd !== null && lastMandateEnd > byAge ? lastMandateEnd : byAge;
};

export type KeyFacts = {
  kid: string;
  purpose: KeyPurpose;
  state: KeyState;
  createdAt: Date;
  /** null until its row is known to be committed */
  publishedAt: Date | null;
  activatedAt: Date | null;
  rotationRequestedAt: Date | null;
  publishUntil: Date | null;
};

export type KeyStep =
  | { step: "create"; purpose: KeyPurpose; state: "next" | "active" }
  /** `retires` is null if there is no active key, because the last one was revoked */
  | { step: "promote"; purpose: KeyPurpose; kid: string; retires: string | null }
  | { step: "delete"; purpose: KeyPurpose; kid: string };

/** When the next key may start to sign; null if not known yet. */
export const signsFrom = (
  { publishedAt, purpose }: { publishedAt: Date | null; purpose: string },
  jwksMaxAgeSeconds: number,
): Date | null => {
  // A federation key is published in statements, which readers keep until they expire.
  const maxAgeSeconds = isFederationPurpose(purpose) ? federationStatementSeconds : jwksMaxAgeSeconds;
  return publishedAt && addSeconds(publishedAt, publishAheadSeconds(maxAgeSeconds));
};

/** The steps to do now, in order (docs/spec/oauth.md, Signing keys). */
export const planKeys = (keys: readonly KeyFacts[], now: Date, jwksMaxAgeSeconds: number): KeyStep[] =>
  keyPurposes.flatMap((purpose) => {
    const own = keys.filter((key) => key.purpose === purpose);
    const active = own.find(({ state }) => state === "active");
    const next = own.find(({ state }) => state === "next");
    const steps: KeyStep[] = own
      .filter(({ state, publishUntil: until }) => state === "retired" && until !== null && until <= now)
      .map(({ kid }) => ({ step: "delete", purpose, kid }));

    if (!active && !next) steps.push({ step: "create", purpose, state: "active" });
    // Without an active key nothing can be signed, so the next key becomes active even if some readers don't have it.
    const from = next ? signsFrom(next, jwksMaxAgeSeconds) : null;
    const isPromoted = next !== undefined && (!active || (isRotationDue(active, now) && from !== null && from <= now));
    if (isPromoted) steps.push({ step: "promote", purpose, kid: next.kid, retires: active?.kid ?? null });
    if (!next || isPromoted) steps.push({ step: "create", purpose, state: "next" });
    return steps;
  });

/** Keys that a process needs to sign. The job does rotations and deletions. */
export const planMissingKeys = (keys: readonly KeyFacts[], now: Date, jwksMaxAgeSeconds: number): KeyStep[] => {
  const steps = planKeys(keys, now, jwksMaxAgeSeconds);
  const isRotation = (step: KeyStep) => step.step === "promote" && step.retires !== null;
  const rotating = new Set(steps.filter(isRotation).map(({ purpose }) => purpose));
  return steps.filter(({ step, purpose }) => step !== "delete" && !rotating.has(purpose));
};

const isRotationDue = (active: KeyFacts, now: Date): boolean =>
  active.rotationRequestedAt !== null ||
  active.activatedAt === null ||
  addSeconds(active.activatedAt, rotationSeconds) <= now;
