import type { Language } from "../../kernel/messages/languages.ts";

const yearSeconds = 365 * 24 * 3600;

const preferenceCookie = (pair: string, path: string, baseUrl: string): string =>
  `${pair}; Path=${path}; Max-Age=${yearSeconds}; SameSite=Lax${baseUrl.startsWith("https:") ? "; Secure" : ""}`;

/** Keeps the chosen language for pages without a session. The value isn't secret. */
export const languageCookie = (language: Language, baseUrl: string): string =>
  preferenceCookie(`language=${language}`, "/", baseUrl);

/** Keeps the merchant that the dashboard shows. Each request checks that the account is a member. */
export const merchantCookie = (merchantId: string, baseUrl: string): string =>
  preferenceCookie(`merchant=${merchantId}`, "/merchant", baseUrl);
