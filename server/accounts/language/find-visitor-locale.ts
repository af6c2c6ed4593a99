import { defaultLocales, languages, localeOfAcceptLanguage } from "../../kernel/messages/languages.ts";
import { readCookie } from "../rules/cookie.ts";

type Visit = { path: string; cookies: string | null; acceptLanguage: string | null };

/** The merchant dashboard and the operator console are in English. */
export const isEnglishPath = (path: string): boolean => /^\/(?:merchant|operator)(?:\/|$)/.test(path);

/** The locale of a person whose session is unknown: the chosen language, or the browser's preference. */
export const preferredLocale = ({ cookies, acceptLanguage }: Omit<Visit, "path">): string => {
  const chosen = readCookie("language", cookies);
  const language = languages.find((known) => known === chosen);
  return language ? defaultLocales[language] : localeOfAcceptLanguage(acceptLanguage);
};

/** The locale of a page for a person whose session is unknown. */
export const findVisitorLocale = ({ path, ...preference }: Visit): string =>
  isEnglishPath(path) ? defaultLocales.en : preferredLocale(preference);
