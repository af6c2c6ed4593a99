import { labelledMac, secretsEqual, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { type Environment, hostCookieName, readCookie, setHostCookie } from "./cookie.ts";

// After a sign-in, the browser keeps a cookie that proves the sign-in. Its attempts are then limited separately, so
// other people who know the e-mail address can't lock this browser out (OWASP, "Slow Down Online Guessing Attacks with
// Device Cookies"). The cookie contains a random secret and one MAC per account. Without the master key, the MAC
// doesn't identify an account.

const knownDays = 180;
const dayMilliseconds = 86_400_000;
/** The accounts of one browser, the latest sign-in first. The limit keeps the cookie below 600 bytes. */
const maxAccounts = 8;

type Mark = { mac: string; expiresDay: number };
export type KnownBrowser = { secret: string; marks: readonly Mark[] };
export type MarkedAccount = { id: string; passwordHash: string | null };

const dayOf = (now: Date): number => Math.floor(now.getTime() / dayMilliseconds);

/** Includes the password's hash, so that a new password makes every browser unknown. */
const macOf = (secret: string, expiresDay: number, { key, account }: Pick<Recognition, "key" | "account">): string =>
  labelledMac(
    key,
    "known_browser",
    [secret, expiresDay, account.id, sha256Base64url(account.passwordHash ?? "")].join("|"),
  );

const cookieName = (environment: Environment): string => hostCookieName(environment, "_known");
const wellFormed = /^[\w-]{43}(?:\.[\w-]{43}:\d{5}){0,8}$/;

/** @returns null if the cookie is missing, malformed or sent twice. The MACs aren't verified yet. */
export const readKnownBrowser = (environment: Environment, header: string | null): KnownBrowser | null => {
  const value = readCookie(cookieName(environment), header);
  if (value === null || !wellFormed.test(value)) return null;
  const [secret = "", ...marks] = value.split(".");
  return { secret, marks: marks.map((mark) => ({ mac: mark.slice(0, 43), expiresDay: Number(mark.slice(44)) })) };
};

export type Recognition = { key: Uint8Array; account: MarkedAccount; now: Date };

const isMarkOf = (secret: string, { key, account }: Recognition, { mac, expiresDay }: Mark): boolean =>
  secretsEqual(mac, macOf(secret, expiresDay, { key, account }));

/**
 * @returns an id for this browser and account. This id has its own limit. Null if the browser is unknown to the
 *   account.
 */
export const knownBrowserId = (browser: KnownBrowser | null, recognition: Recognition): string | null => {
  if (browser === null) return null;
  const { secret, marks } = browser;
  const isKnown = marks.some((mark) => mark.expiresDay > dayOf(recognition.now) && isMarkOf(secret, recognition, mark));
  return isKnown ? sha256Base64url(`${secret}|${recognition.account.id}`) : null;
};

/** After a sign-in, adds the account's MAC or renews it. `newSecret` is for a browser without a secret. */
export const rememberAccount = (
  browser: KnownBrowser | null,
  newSecret: string,
  recognition: Recognition,
): KnownBrowser => {
  const { secret, marks } = browser ?? { secret: newSecret, marks: [] };
  const today = dayOf(recognition.now);
  const expiresDay = today + knownDays;
  const others = marks.filter((mark) => mark.expiresDay > today && !isMarkOf(secret, recognition, mark));
  const mark = { mac: macOf(secret, expiresDay, recognition), expiresDay };
  return { secret, marks: [mark, ...others].slice(0, maxAccounts) };
};

export const knownBrowserCookie = (environment: Environment, { secret, marks }: KnownBrowser): string => {
  const value = [secret, ...marks.map(({ mac, expiresDay }) => `${mac}:${expiresDay}`)].join(".");
  return setHostCookie(`${cookieName(environment)}=${value}`, (knownDays * dayMilliseconds) / 1000);
};
