import { type Environment, hostCookieName, readCookie, setHostCookie } from "../../rules/cookie.ts";

/** What a person typed, for the form after a refusal without script. It never holds the password. */
export type SignUpDraft = {
  name: string;
  email: string;
  method: "passkey" | "password";
  /** the code of a problem by field; `form`: a problem of no field */
  problems: Readonly<Record<string, string>>;
};

const draftSeconds = 300;
const cookieName = (environment: Environment): string => hostCookieName(environment, "_signup_draft");

export const draftCookie = (environment: Environment, sealed: string): string =>
  setHostCookie(`${cookieName(environment)}=${sealed}`, draftSeconds);

export const clearedDraftCookie = (environment: Environment): string => setHostCookie(`${cookieName(environment)}=`, 0);

export const readDraftCookie = (environment: Environment, header: string | null): string | null =>
  readCookie(cookieName(environment), header);
