import type { TestDeps } from "#e2e/support/test-deps.ts";
import type { Deps } from "../../deps/deps.ts";
import type { KeyPurpose } from "../../kernel/key-purpose.ts";
import { publishAheadSeconds } from "../rules/key-life.ts";
import { type LoadedKeyRing, loadKeyRing } from "./load-key-ring.ts";
import { revokeSigningKey } from "./revoke-signing-key.ts";
import { rotateSigningKey } from "./rotate-signing-key.ts";

const by = { actor: { kind: "operator", id: "op_1" } as const, requestId: "req_1" };

export const rotate = (deps: Deps, purpose: KeyPurpose = "access_token") =>
  rotateSigningKey(deps, { purpose, reason: "requested", ...by });
export const revoke = (deps: Deps, kid: string) => revokeSigningKey(deps, { kid, reason: "lost", ...by });

/** Moves the clock until all readers have the next keys. */
export const passPublicationTime = (deps: TestDeps): void =>
  deps.clock.advance(publishAheadSeconds(deps.config.jwksMaxAgeSeconds));

/** Another process of the environment. @param isStopped turns off the periodic refresh of its keys */
export const startNode = async (
  deps: Deps,
  { isStopped }: { isStopped: boolean },
): Promise<Deps & { keys: LoadedKeyRing }> => {
  const keys = await loadKeyRing(deps);
  if (isStopped) keys.stop();
  return { ...deps, keys };
};

export const kidOf = (deps: Deps, purpose: KeyPurpose = "access_token"): string => deps.keys.signingKey(purpose).kid;

/** Kids of one purpose by state, oldest first. */
export const kidsByState = async (deps: Deps, purpose: KeyPurpose = "access_token") => {
  const rows = await deps.db.prisma.signingKey.findMany({ where: { purpose }, orderBy: { createdAt: "asc" } });
  const kids = (state: string) => rows.filter((row) => row.state === state).map(({ kid }) => kid);
  return {
    next: kids("next"),
    active: kids("active"),
    retired: kids("retired"),
    deleted: kids("deleted"),
    revoked: kids("revoked"),
  };
};
