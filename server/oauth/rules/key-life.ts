import { type KeyPurpose, keyPurposes } from "../../kernel/key-purpose.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { accessTokenSeconds } from "./tokens/tokens.ts";

/**
 * next: published and signs nothing yet. active: signs. retired: its private half is destroyed, its public half stays
 * published until what it signed has ended. deleted: withdrawn, kept for the audit. revoked: nothing it signed counts.
 */
type KeyState = "next" | "active" | "retired" | "deleted" | "revoked";

const day = 24 * 3600;
export const rotationSeconds = 30 * day;

/** Readers may keep a node's answer to JWKS only where its ring was seen to be current within this time. */
export const ringFreshSeconds = 2;
/** A node whose ring was not seen to be current for longer neither signs nor verifies. */
export const ringUsableSeconds = 30;
/** Between two nodes' clocks. */
const leewaySeconds = 2;

/**
 * How long a key is published before it signs: whoever read the JWKS before may keep that copy for `max-age`, and the
 * node that answered may have been behind by `ringFreshSeconds`.
 */
export const publishAheadSeconds = (jwksMaxAgeSeconds: number): number =>
  jwksMaxAgeSeconds + ringFreshSeconds + leewaySeconds;

/** Nodes that haven't noticed a rotation sign by the old key for this long at the most, clocks included. */
export const latecomerSeconds = 2 * ringUsableSeconds;

/** How long after its last signature something that a key signed may still be relied on. */
const reliedOnSeconds: Readonly<Record<KeyPurpose, number>> = {
  access_token: Math.max(...Object.values(accessTokenSeconds)),
  // A merchant shows a receipt when a payment is disputed, which card schemes allow for well over a year.
  receipt: 400 * day,
  // Status lists; credentials end with their mandates, which `lastMandateEnd` tells of.
  credential: 12 * 3600,
  // The list of keys in use holds for a day, a software statement for no more than a quarter.
  directory: 92 * day,
};

/** When a key that signs its last now may leave the JWKS. */
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
  rotationAskedAt: Date | null;
  publishUntil: Date | null;
};

export type KeyStep =
  | { step: "create"; purpose: KeyPurpose; state: "next" | "active" }
  /** `retires` is null where there is no active key: the last one was revoked */
  | { step: "promote"; purpose: KeyPurpose; kid: string; retires: string | null }
  | { step: "delete"; purpose: KeyPurpose; kid: string };

/** From when on the next key may sign; null while nobody can say. */
export const signsFrom = ({ publishedAt }: Pick<KeyFacts, "publishedAt">, jwksMaxAgeSeconds: number): Date | null =>
  publishedAt && addSeconds(publishedAt, publishAheadSeconds(jwksMaxAgeSeconds));

/**
 * What is due now, in the order in which it is to be done; nothing where it was done already (docs/spec/oauth.md,
 * Signing keys).
 */
export const planKeys = (keys: readonly KeyFacts[], now: Date, jwksMaxAgeSeconds: number): KeyStep[] =>
  keyPurposes.flatMap((purpose) => {
    const own = keys.filter((key) => key.purpose === purpose);
    const active = own.find(({ state }) => state === "active");
    const next = own.find(({ state }) => state === "next");
    const steps: KeyStep[] = own
      .filter(({ state, publishUntil: until }) => state === "retired" && until !== null && until <= now)
      .map(({ kid }) => ({ step: "delete", purpose, kid }));

    if (!active && !next) steps.push({ step: "create", purpose, state: "active" });
    // Without an active key nothing can be signed: the next one takes over, known to all readers or not.
    const from = next ? signsFrom(next, jwksMaxAgeSeconds) : null;
    const isPromoted = next !== undefined && (!active || (isRotationDue(active, now) && from !== null && from <= now));
    if (isPromoted) steps.push({ step: "promote", purpose, kid: next.kid, retires: active?.kid ?? null });
    if (!next || isPromoted) steps.push({ step: "create", purpose, state: "next" });
    return steps;
  });

/** What a process needs before it can sign; rotations and deletions are left to the job. */
export const planMissingKeys = (keys: readonly KeyFacts[], now: Date, jwksMaxAgeSeconds: number): KeyStep[] => {
  const steps = planKeys(keys, now, jwksMaxAgeSeconds);
  const isRotation = (step: KeyStep) => step.step === "promote" && step.retires !== null;
  const rotating = new Set(steps.filter(isRotation).map(({ purpose }) => purpose));
  return steps.filter(({ step, purpose }) => step !== "delete" && !rotating.has(purpose));
};

const isRotationDue = (active: KeyFacts, now: Date): boolean =>
  active.rotationAskedAt !== null ||
  active.activatedAt === null ||
  addSeconds(active.activatedAt, rotationSeconds) <= now;
