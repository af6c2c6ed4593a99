import { revokeSessionBySecret } from "../../data/accounts/accounts.ts";
import { type AccountContact, countSessionsOfAccount, getAccountContact } from "../../data/accounts/credentials.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { type RecordedOutcome, recordSignIn } from "../history/record-sign-in.ts";
import { queueSecurityMail, type SecurityEvent } from "../notices/queue-security-mail.ts";
import { knownBrowserId, readKnownBrowser } from "../rules/known-browser.ts";
import { readSessionCookie, sessionCookie } from "../rules/session-cookie.ts";
import { rememberBrowser } from "./remember-browser.ts";
import { openSession, sessionSeconds } from "./sessions.ts";

export type SignIn = {
  accountId: string;
  sessionId: string;
  /** the session cookie */
  setCookie: string;
  /** kept after sign-out, so that failed attempts of others don't lock this browser out */
  knownBrowserCookie: string;
};

type NewSession = {
  accountId: string;
  acr: string;
  cookieHeader: string | null;
  info: RequestInfo;
  /** how the sign-in history shows this sign-in; default: `signed_in` */
  outcome?: RecordedOutcome;
  /** the mail about this sign-in; default: a mail if the browser is unknown to the account; null: no mail */
  notice?: SecurityEvent | null;
};

/**
 * Opens a session and ends the browser's previous one (rotation), in the transaction that verified the proof. Records
 * the sign-in, and informs the owner about a browser that is unknown to the account.
 */
export const startSession = async (
  deps: Pick<Deps, "clock" | "config" | "places">,
  tx: Tx,
  input: NewSession,
): Promise<SignIn> => {
  const now = deps.clock.now();
  const { accountId, acr, cookieHeader, info, outcome = "signed_in" } = input;
  const account = await getAccountContact(tx, accountId);
  const notice = input.notice === undefined ? await noticeOf(deps, tx, { account, cookieHeader }) : input.notice;
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
  await recordSignIn(deps, tx.sql, { accountId, outcome, info });
  if (notice) await queueSecurityMail(deps, tx, { account, event: notice, info, requestId: info.requestId });
  const { environment } = deps.config;
  return {
    accountId,
    sessionId,
    setCookie: sessionCookie(environment, secret, sessionSeconds),
    knownBrowserCookie: rememberBrowser(deps, { account, cookieHeader }),
  };
};

type Browser = { account: AccountContact; cookieHeader: string | null };

/** No mail is sent about the first session of a new account, because its owner has just verified the address. */
const newAccountSeconds = 3_600;

const noticeOf = async (
  { clock, config }: Pick<Deps, "clock" | "config">,
  tx: Tx,
  { account, cookieHeader }: Browser,
): Promise<SecurityEvent | null> => {
  const now = clock.now();
  const browser = readKnownBrowser(config.environment, cookieHeader);
  if (knownBrowserId(browser, { key: config.masterKey, account, now }) !== null) return null;
  const isNew = now.getTime() - account.createdAt.getTime() < newAccountSeconds * 1_000;
  return isNew && (await countSessionsOfAccount(tx, account.id)) === 0 ? null : { kind: "new_sign_in" };
};
