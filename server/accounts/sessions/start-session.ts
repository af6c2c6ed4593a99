import { findPasswordHash, revokeSessionBySecret } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import { knownBrowserCookie, readKnownBrowser, rememberAccount } from "../rules/known-browser.ts";
import { readSessionCookie, sessionCookie } from "../rules/session-cookie.ts";
import { openSession, sessionSeconds } from "./sessions.ts";

export type SignIn = {
  accountId: string;
  sessionId: string;
  /** the session cookie */
  setCookie: string;
  /** kept after sign-out, so that failed attempts of others don't lock this browser out */
  knownBrowserCookie: string;
};

/** Opens a session and ends the browser's previous one (rotation), in the transaction that verified the proof. */
export const startSession = async (
  deps: Pick<Deps, "clock" | "config">,
  tx: Tx,
  input: { accountId: string; acr: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const now = deps.clock.now();
  const { accountId, acr, cookieHeader, info } = input;
  const previous = readSessionCookie(deps.config.environment, cookieHeader);
  if (previous !== null) await revokeSessionBySecret(tx, sha256Base64url(previous), now);
  const { sessionId, secret } = await openSession(tx, { accountId, acr, info, now });
  await appendAudit(tx.sql, {
    at: now,
    actor: { kind: "payer", id: accountId },
    action: "session.opened",
    subjectId: sessionId,
    requestId: info.requestId,
    data: { acr },
  });
  const account = { id: accountId, passwordHash: await findPasswordHash(tx, accountId) };
  const { environment, masterKey } = deps.config;
  const browser = rememberAccount(readKnownBrowser(environment, cookieHeader), newSecret(), {
    key: masterKey,
    account,
    now,
  });
  return {
    accountId,
    sessionId,
    setCookie: sessionCookie(environment, secret, sessionSeconds),
    knownBrowserCookie: knownBrowserCookie(environment, browser),
  };
};
