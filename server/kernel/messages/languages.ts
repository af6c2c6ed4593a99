import { acceptedTags } from "../text/preferences.ts";

/** The languages of payer-facing pages and e-mails. The first is the default. */
export const languages = ["en", "de"] as const;

export type Language = (typeof languages)[number];

/** The default locale of each language, for readers who chose a language without a region. */
export const defaultLocales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

/** Each language's own name, for the language choice. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

const subtagOf = (locale: string): string => (locale.split("-", 1)[0] ?? "").toLowerCase();

const findLanguage = (locale: string): Language | null =>
  languages.find((language) => language === subtagOf(locale)) ?? null;

/** The language of the texts for a locale: `de` for `de-AT`, else `en`. */
export const languageOf = (locale: string): Language => findLanguage(locale) ?? "en";

/** The locale of plurals and numbers inside texts: the reader's, unless the texts are in another language. */
export const textLocaleOf = (locale: string): string => (findLanguage(locale) ? locale : defaultLocales.en);

/**
 * A locale with this language: unchanged if it has this language already, otherwise the default locale of the language.
 */
export const localeInLanguage = (locale: string, language: Language): string =>
  findLanguage(locale) === language ? locale : defaultLocales[language];

/**
 * The reader's preferred locale among our languages. A language without a region, such as `de`, becomes its default
 * locale.
 */
export const localeOfAcceptLanguage = (header: string | null): string => {
  const best = acceptedTags(header).find((tag) => /^[a-z]{2,3}(?:-[a-z]{2})?$/i.test(tag) && findLanguage(tag));
  if (best === undefined) return defaultLocales.en;
  const locale = new Intl.Locale(best);
  return locale.region ? locale.toString() : defaultLocales[languageOf(best)];
};
