import { localeInLanguage } from "#server/kernel/messages/languages.ts";

/** The person who reads a page: amounts, dates and times follow their locale and time zone. */
export type Reader = { locale: string; timeZone: string };

/**
 * The reader of a page that is in English only. A locale in another language would put words of that language between
 * the English words. An English locale keeps the conventions of its region.
 */
export const englishReader = ({ locale, timeZone }: Reader): Reader => ({
  locale: localeInLanguage(locale, "en"),
  timeZone,
});
