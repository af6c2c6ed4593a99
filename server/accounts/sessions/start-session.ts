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
  /** the session's */
  setCookie: string;
  /** stays with the browser after signing out: it isn't locked out by what others do to this account */
  knownBrowserCookie: string;
};

/** In the transaction of the proof: opens a session, and ends the one that the browser held before (rotation). */
export const startSession = async (
  deps: Pick<Deps, "clock" | "config">,
  tx: Tx,
  input: { accountId: string; acr: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const now = deps.clock.now();
  const { accountId, acr, cookieHeader, info } = input;
  const former = readSessionCookie(deps.config.environment, cookieHeader);
  if (former !== null) await revokeSessionBySecret(tx, sha256Base64url(former), now);
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
