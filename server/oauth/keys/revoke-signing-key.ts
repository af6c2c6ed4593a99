import type { Actor } from "../../data/audit/audit.ts";
import { listSigningKeys, updateSigningKey } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { auditKey, doDueSteps, type KeyDeps, withLockedKeys } from "./maintain-signing-keys.ts";

type Input = { kid: string; reason: string; actor: Actor; requestId: string };

/**
 * After the commit, nothing that the key signed is valid: the liveness statement refuses its access tokens on every
 * node, and each node updates its ring and JWKS within about a second. If the key was active, the next one signs
 * immediately. Jobs sign the status lists again, and ask clients to fetch new credentials. Idempotent.
 * @throws DomainError not_found for an unknown kid.
 */
export const revokeSigningKey = async (
  deps: KeyDeps & Pick<Deps, "keys">,
  { kid, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean; purpose: string }> => {
  const revoked = await withLockedKeys(deps, { actor, requestId }, async (work) => {
    const row = (await listSigningKeys({ prisma: work.tx })).find((key) => key.kid === kid);
    if (!row) throw new DomainError("not_found", { code: "not_found", message: "Signing key not found." });
    const { purpose, state } = row;
    if (state === "revoked") return { isNew: false, purpose };
    await updateSigningKey(work.tx, kid, { state: "revoked", revokedAt: work.at, privateSealed: null });
    await auditKey(work, { act: "revoked", kid, data: { purpose, was: state, reason } });
    await doDueSteps(deps, work);
    return { isNew: true, purpose };
  });
  await deps.keys.refresh();
  return revoked;
};
