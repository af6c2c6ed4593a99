import { findLiveSessionIds, lockAccount } from "../../data/accounts/accounts.ts";
import type { Sql } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";

/**
 * Locks the account of a session for a change of its credentials. The request may have waited while a password reset or
 * the account's owner ended the session.
 * @throws DomainError session_not_found if the session has ended.
 */
export const lockAccountOfSession = async (
  sql: Sql,
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: Date },
): Promise<void> => {
  await lockAccount(sql, accountId);
  if (!(await findLiveSessionIds(sql, [sessionId], now)).has(sessionId)) throw sessionNotFound();
};

export const sessionNotFound = () =>
  new DomainError("not_found", { code: "session_not_found", message: "Session not found. It may have ended." });
