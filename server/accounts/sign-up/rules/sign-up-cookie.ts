import { labelledMac } from "../../../kernel/crypto/hash.ts";
import { type Environment, hostCookieName, readCookie, setHostCookie } from "../../rules/cookie.ts";

/** How long a sign-up is kept. */
export const signUpSeconds = 24 * 3_600;

const cookieName = (environment: Environment): string => hostCookieName(environment, "_signup");

/**
 * The secret of a sign-up's cookie. It is derived from the sign-up's id, so that the cookie can also be set in another
 * browser if the person enters the password there.
 */
export const signUpSecret = (masterKey: Uint8Array, id: string): string => labelledMac(masterKey, "sign_up_cookie", id);

export const signUpCookie = (environment: Environment, secret: string): string =>
  setHostCookie(`${cookieName(environment)}=${secret}`, signUpSeconds);

export const clearedSignUpCookie = (environment: Environment): string =>
  setHostCookie(`${cookieName(environment)}=`, 0);

/** @returns the secret; null unless the header has exactly one sign-up cookie and it is well-formed. */
export const readSignUpCookie = (environment: Environment, header: string | null): string | null => {
  const secret = readCookie(cookieName(environment), header);
  return secret !== null && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
};
