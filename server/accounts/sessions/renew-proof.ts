import { updateSessionProof } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { sessionNotFound } from "./lock-account-of-session.ts";
import { passkeyAcr } from "./sessions.ts";

/**
 * Renews the proof of identity of a session, in the transaction that verified it, so that a risky action is allowed.
 * @throws DomainError session_not_found if the session has ended.
 */
export const renewProof = async (
  { clock }: Pick<Deps, "clock">,
  tx: Tx,
  input: { accountId: string; sessionId: string; acr: string; requestId: string },
): Promise<void> => {
  const now = clock.now();
  const { accountId, sessionId, acr, requestId } = input;
  const isSecondFactor = acr === passkeyAcr;
  if (!(await updateSessionProof(tx, { sessionId, accountId, acr, isSecondFactor, now }))) {
    throw sessionNotFound();
  }
  const actor = { kind: "payer", id: accountId } as const;
  const entry = { action: "session.confirmed", subjectId: sessionId, requestId, data: { acr } };
  await appendAudit(tx.sql, { at: now, actor, ...entry });
};
