import { type Environment, hostCookieName, readCookie, setHostCookie } from "../../rules/cookie.ts";

/**
 * The values that a person entered. After a refusal, a form without JavaScript shows them again. Never contains the
 * password.
 */
export type SignUpDraft = {
  name: string;
  email: string;
  method: "passkey" | "password";
  /** the code of the problem by field; `form`: a problem of the whole form */
  problems: Readonly<Record<string, string>>;
};

const draftSeconds = 300;
const cookieName = (environment: Environment): string => hostCookieName(environment, "_signup_draft");

export const draftCookie = (environment: Environment, sealed: string): string =>
  setHostCookie(`${cookieName(environment)}=${sealed}`, draftSeconds);

export const clearedDraftCookie = (environment: Environment): string => setHostCookie(`${cookieName(environment)}=`, 0);

export const readDraftCookie = (environment: Environment, header: string | null): string | null =>
  readCookie(cookieName(environment), header);
