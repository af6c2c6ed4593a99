import type { Actor } from "../../data/audit/audit.ts";
import { findPublishedSigningKeys, updateSigningKey } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import type { KeyPurpose } from "../../kernel/key-purpose.ts";
import { signsFrom } from "../rules/key-life.ts";
import { auditKey, doDueSteps, type KeyDeps, type KeyWork, toFacts, withLockedKeys } from "./maintain-signing-keys.ts";

export type Rotation =
  | { outcome: "rotated"; kid: string }
  /** the next key was published too recently; it becomes active at `at`, when every reader of the JWKS has it */
  | { outcome: "requested"; kid: string; at: Date };

/**
 * Makes the next key active. Every reader that follows Cache-Control can verify its signatures, because the key has
 * been published for longer than a copy of the JWKS may be cached. If the key hasn't been published for this long
 * (after a recent rotation), the request is stored, and the key job rotates later.
 */
export const rotateSigningKey = async (
  deps: KeyDeps & Pick<Deps, "keys">,
  input: { purpose: KeyPurpose; actor: Actor; requestId: string; reason: string },
): Promise<Rotation> => {
  const rotation = await withLockedKeys(deps, input, (work) => rotate(deps, work, input));
  await deps.keys.refresh();
  return rotation;
};

type RotationRequest = { purpose: KeyPurpose; reason: string };

const rotate = async (deps: KeyDeps, work: KeyWork, { purpose, reason }: RotationRequest): Promise<Rotation> => {
  const { tx, at } = work;
  const before = await findKey(work, purpose, "active");
  if (before && before.rotationRequestedAt === null) {
    await updateSigningKey(tx, before.kid, { rotationRequestedAt: at });
    await auditKey(work, { act: "rotation_requested", kid: before.kid, data: { purpose, reason } });
  }
  await doDueSteps(deps, work);
  const [active, next] = [await findKey(work, purpose, "active"), await findKey(work, purpose, "next")];
  if (!active || !next) throw new Error(`no keys for ${purpose}`);
  return active.kid === before?.kid
    ? { outcome: "requested", kid: next.kid, at: signsFrom(next, deps.config.jwksMaxAgeSeconds) ?? at }
    : { outcome: "rotated", kid: active.kid };
};

const findKey = async ({ tx }: KeyWork, purpose: KeyPurpose, state: "active" | "next") =>
  toFacts(await findPublishedSigningKeys({ prisma: tx })).find((key) => key.purpose === purpose && key.state === state);
