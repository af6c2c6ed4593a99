import type { Language } from "../../kernel/messages/languages.ts";

const yearSeconds = 365 * 24 * 3600;

/** Keeps the language of a visitor who has no account. The value isn't secret. */
export const languageCookie = (language: Language, baseUrl: string): string =>
  `language=${language}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${baseUrl.startsWith("https:") ? "; Secure" : ""}`;
