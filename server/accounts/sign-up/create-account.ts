import { insertAccount, type PendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { extendPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { consentHandleOf } from "../../kernel/consent-path.ts";

/**
 * Creates the account of a verified sign-up, in the transaction of its first password or passkey. If the person came
 * from a consent page, the time to complete that request starts again.
 * @returns false if the address got an account in the meantime.
 */
export const createAccount = async (
  { clock }: Pick<Deps, "clock">,
  tx: Tx,
  { pending, passwordHash, requestId }: { pending: PendingSignUp; passwordHash: string | null; requestId: string },
): Promise<boolean> => {
  const now = clock.now();
  const { accountId: id, email, displayName, locale, timeZone, returnTo } = pending;
  const account = { id, email, displayName, locale, timeZone, passwordHash, emailVerifiedAt: now, createdAt: now };
  if (!(await insertAccount(tx, account))) return false;
  const actor = { kind: "payer", id } as const;
  await appendAudit(tx.sql, { at: now, actor, action: "account.created", subjectId: id, requestId });
  const handle = consentHandleOf(returnTo);
  if (handle !== null) await extendPushedRequest(tx.sql, { handle, now });
  return true;
};
