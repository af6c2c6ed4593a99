import { setTimeout as sleep } from "node:timers/promises";
import { findPublishedSigningKeys, findPublishedVersion } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import type { KeyRing } from "../../deps/key-ring.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type KeyPurpose, type KeySetName, keyPurposes } from "../../kernel/key-purpose.ts";
import { assertPresent } from "../../kernel/rule.ts";
import { ringFreshSeconds, ringUsableSeconds } from "../rules/key-life.ts";
import { ensureSigningKeys } from "./maintain-signing-keys.ts";
import { type RingContent, toRingContent } from "./ring-content.ts";

/** Every process gets a changed key within about this time, which is well below `ringFreshSeconds`. */
export const refreshMilliseconds = 1_000;
/** Minimum time between two database look-ups for unknown kids, even if the kids differ. */
const lookMilliseconds = 200;
/** RFC 7638, SHA-256: the form of all our kids. */
const thumbprint = /^[A-Za-z0-9_-]{43}$/;

export type LoadedKeyRing = KeyRing & { stop(): void };
type Input = Pick<Deps, "db" | "sealer" | "clock" | "config" | "log">;

/** Creates missing keys, which only one process does, and then keeps the ring in sync with the database. */
export const loadKeyRing = async (deps: Input): Promise<LoadedKeyRing> => {
  await ensureSigningKeys(deps);
  const ring = createKeyRing(deps);
  await ring.refresh();
  let isFailing = false;
  const timer = setInterval(() => {
    ring.refresh().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing) deps.log.warn({ err: error }, "signing keys can't be compared with the database");
        isFailing = true;
      },
    );
  }, refreshMilliseconds);
  timer.unref();
  return { ...ring, stop: () => clearInterval(timer) };
};

/** The ring's content in this process, and the time after which it may differ from the database. */
const createRingCache = (deps: Input) => {
  const { sealer } = deps;
  const { jwksMaxAgeSeconds } = deps.config;
  let content: RingContent | null = null;
  // Ages are measured by the machine's time, not by the product's clock.
  let comparedAt = Number.NEGATIVE_INFINITY;

  const compare = async (): Promise<void> => {
    // The time is read before the query, because the query may miss a commit that happens while it runs.
    const startedAt = performance.now();
    const isChanged = content?.version !== (await findPublishedVersion(deps.db.sql));
    const read = isChanged
      ? toRingContent(await findPublishedSigningKeys(deps.db), { sealer, jwksMaxAgeSeconds })
      : null;
    // A later comparison may have finished first.
    if (startedAt < comparedAt) return;
    content = read ?? content;
    comparedAt = startedAt;
  };

  return {
    compare,
    find: (): RingContent | null => content,
    /** Whether the last comparison with the database began within the last `seconds`. */
    isWithin: (seconds: number): boolean => performance.now() - comparedAt < seconds * 1000,
  };
};

const createKeyRing = (deps: Input): KeyRing => {
  const { compare, find, isWithin } = createRingCache(deps);
  const refresh = oneAtATime(compare);
  const lookAgain = spaced(refresh, lookMilliseconds);

  const usable = (): RingContent => {
    const content = find();
    if (content && isWithin(ringUsableSeconds)) return content;
    throw new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "The service can't read its keys at the moment. Try again shortly.",
      headers: { "retry-after": "2" },
    });
  };
  const loaded = (): RingContent => {
    const content = find();
    if (!content) throw new Error("the key ring is not loaded");
    return content;
  };
  const setOf = (name: KeySetName) => assertPresent(loaded().sets.get(name));
  const findVerificationKey = (kid: string, purpose: KeyPurpose) => {
    const key = usable().verification.get(kid);
    return key?.purpose === purpose ? key : null;
  };

  return {
    signingKey(purpose) {
      const key = usable().signing.get(purpose);
      if (!key) throw new Error(`no active signing key for ${purpose}`);
      return key;
    },
    findVerificationKey,
    async awaitVerificationKey(kid, purpose) {
      if (!thumbprint.test(kid)) return null;
      const known = findVerificationKey(kid, purpose);
      if (known || loaded().verification.has(kid)) return known;
      await lookAgain();
      return findVerificationKey(kid, purpose);
    },
    jwks: (set = "server") => setOf(set).jwks,
    publishedJwks: (set = "server") => (isWithin(ringFreshSeconds) ? setOf(set).fresh : setOf(set).stale),
    refresh,
    isLoaded() {
      const content = find();
      return (
        content !== null && isWithin(ringUsableSeconds) && keyPurposes.every((purpose) => content.signing.has(purpose))
      );
    },
  };
};

/** Callers during a run share the next run, so every caller waits for a run that began after the call. */
const oneAtATime = (run: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    running = run().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
};

/** Starts runs at least `milliseconds` apart. All callers that wait for the next run share it. */
const spaced = (run: () => Promise<void>, milliseconds: number): (() => Promise<void>) => {
  let beganAt = Number.NEGATIVE_INFINITY;
  let waiting: Promise<void> | null = null;
  return () => {
    waiting ??= sleep(Math.max(0, beganAt + milliseconds - performance.now())).then(() => {
      waiting = null;
      beganAt = performance.now();
      return run();
    });
    return waiting;
  };
};
