import { type Actor, type AuditEntry, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import {
  findLastMandateEnd,
  findPublishedSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  markSigningKeysPublished,
  type SigningKeyRow,
  updateSigningKey,
} from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { type KeyPurpose, keyPurposes } from "../../kernel/key-purpose.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import {
  type KeyFacts,
  type KeyStep,
  latecomerSeconds,
  planKeys,
  planMissingKeys,
  publishUntil,
} from "../rules/key-life.ts";
import { generateSigningKey, sealContext } from "./generate-signing-key.ts";
import { recordServerKeys } from "./server-participant.ts";

export type KeyDeps = Pick<Deps, "db" | "sealer" | "clock" | "config">;
/** The transaction that locks the keys, with the time, actor and request of its changes. */
export type KeyWork = { tx: Tx; at: Date; actor: Actor; requestId: string };

/**
 * Creates missing keys, promotes next keys and deletes expired keys. If processes call it concurrently, only one does
 * the work. @returns the steps that were done.
 */
export const maintainSigningKeys = (deps: KeyDeps, actor: Actor): Promise<KeyStep[]> =>
  withLockedKeys(deps, { actor, requestId: "-" }, (work) => doDueSteps(deps, work));

/** Creates the keys that a process needs to sign. One process does it. */
export const ensureSigningKeys = (deps: KeyDeps): Promise<KeyStep[]> =>
  withLockedKeys(deps, { actor: { kind: "system", id: "key-ring" }, requestId: "-" }, (work) =>
    makeMissingKeys(deps, work),
  );

export const makeMissingKeys = (deps: KeyDeps, work: KeyWork): Promise<KeyStep[]> =>
  doDueSteps(deps, work, planMissingKeys);

/** Runs one transaction at a time over all processes. `at` is read after the lock was taken. */
export const withLockedKeys = async <T>(
  deps: KeyDeps,
  { actor, requestId }: { actor: Actor; requestId: string },
  change: (work: KeyWork) => Promise<T>,
): Promise<T> => {
  const changed = await deps.db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const work = { tx, at: deps.clock.now(), actor, requestId };
    const result = await change(work);
    await recordServerKeys(deps, work);
    return result;
  });
  await markSigningKeysPublished(deps.db.sql, deps.clock.now());
  return changed;
};

export const toFacts = (rows: readonly SigningKeyRow[]): KeyFacts[] =>
  rows.flatMap((row) => {
    const purpose = keyPurposes.find((known) => known === row.purpose);
    return purpose ? [{ ...row, purpose }] : [];
  });

export const doDueSteps = async (
  deps: KeyDeps,
  work: KeyWork,
  plan: typeof planKeys = planKeys,
): Promise<KeyStep[]> => {
  const rows = await findPublishedSigningKeys({ prisma: work.tx });
  const done: KeyStep[] = [];
  for (const step of plan(toFacts(rows), work.at, deps.config.jwksMaxAgeSeconds)) {
    const row = "kid" in step ? rows.find(({ kid }) => kid === step.kid) : undefined;
    if (step.step === "create") await create(deps, work, step);
    else if (row && step.step === "promote") await promote(deps, work, { ...step, row });
    else if (!row || !(await isDeleted(work, row))) continue;
    done.push(step);
  }
  return done;
};

export const auditKey = (
  { tx, at, actor, requestId }: KeyWork,
  { act, kid, data }: { act: string; kid: string; data: NonNullable<AuditEntry["data"]> },
): Promise<void> => appendAudit(tx.sql, { at, actor, requestId, action: `signing_key.${act}`, subjectId: kid, data });

type Create = Extract<KeyStep, { step: "create" }>;
const create = async ({ sealer }: KeyDeps, work: KeyWork, { purpose, state }: Create): Promise<void> => {
  const key = await generateSigningKey(sealer, { purpose, state });
  await insertSigningKey(work.tx, key, work.at);
  await auditKey(work, { act: "created", kid: key.kid, data: { purpose, state } });
};

type Promote = Extract<KeyStep, { step: "promote" }>;
const promote = async ({ sealer }: KeyDeps, work: KeyWork, step: Promote & { row: SigningKeyRow }): Promise<void> => {
  const { tx, at } = work;
  const { row } = step;
  // This throws if the key can't be decrypted. The current key is then kept; otherwise no node could sign.
  sealer.open(row.privateSealed ?? "", sealContext(row));
  if (step.retires !== null) await retire(work, step.retires, step.purpose);
  await updateSigningKey(tx, row.kid, { state: "active", activatedAt: at });
  await auditKey(work, {
    act: "activated",
    kid: row.kid,
    data: { purpose: step.purpose, replaces: step.retires },
  });
};

const retire = async (work: KeyWork, kid: string, purpose: KeyPurpose): Promise<void> => {
  const { tx, at } = work;
  const until = publishUntil(purpose, at, await findLastMandateEnd(tx.sql, at));
  await updateSigningKey(tx, kid, { state: "retired", retiredAt: at, publishUntil: until, privateSealed: null });
  await auditKey(work, { act: "retired", kid, data: { purpose, publish_until: until.toISOString() } });
};

/**
 * Reads the last mandate's end again: a node that detected the rotation late may have signed the credential of a newer
 * mandate.
 */
const isDeleted = async (work: KeyWork, { kid, purpose, retiredAt }: SigningKeyRow): Promise<boolean> => {
  const { tx, at } = work;
  if (purpose === "credential" && retiredAt !== null) {
    const end = await findLastMandateEnd(tx.sql, addSeconds(retiredAt, latecomerSeconds));
    if (end !== null && end > at) {
      await updateSigningKey(tx, kid, { publishUntil: end });
      return false;
    }
  }
  await updateSigningKey(tx, kid, { state: "deleted", deletedAt: at });
  await auditKey(work, { act: "deleted", kid, data: { purpose } });
  return true;
};
