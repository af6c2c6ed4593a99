import { findSessionBySecret, touchSession } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import type { OperatorRole } from "../rules/operator-actions.ts";
import { readSessionCookie } from "../rules/session-cookie.ts";

export type SessionContext = {
  sessionId: string;
  account: {
    id: string;
    email: string;
    displayName: string;
    /** null: not an operator */
    operatorRole: OperatorRole | null;
    locale: string;
    timeZone: string;
  };
  /** when the account last proved its identity in this session, for example with a password or passkey */
  authTime: Date;
  acr: string;
  /** Operators need a second factor, except on loopback (docs/spec/portal.md, Operators). */
  hasSecondFactor: boolean;
};

/**
 * Pages show the last use to the minute, so it is written at most once a minute. If the clock was moved back, the next
 * use is written immediately.
 */
const lastSeenSeconds = 60;

/**
 * Demo accounts have no sessions unless `BASE_URL` is a loopback address.
 * @returns null for a session that is unknown or has ended.
 */
export const findSession = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  cookieHeader: string | null,
): Promise<SessionContext | null> => {
  const secret = readSessionCookie(deps.config.environment, cookieHeader);
  if (secret === null) return null;
  const now = deps.clock.now();
  const row = await findSessionBySecret(deps.db.sql, sha256Base64url(secret), now);
  if (!row || (row.is_demo && !deps.config.isLoopback)) return null;
  const sinceSeen = Math.abs(now.getTime() - row.last_seen_at.getTime()) / 1000;
  if (sinceSeen >= lastSeenSeconds) await touchSession(deps.db, row.session_id, now);
  return {
    sessionId: row.session_id,
    account: {
      id: row.account_id,
      email: row.email,
      displayName: row.display_name,
      operatorRole: row.operator_role,
      locale: row.locale,
      timeZone: row.time_zone,
    },
    authTime: row.auth_time,
    acr: row.acr,
    hasSecondFactor: deps.config.isLoopback || row.second_factor_at !== null,
  };
};
