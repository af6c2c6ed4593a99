import format, { type CompiledMessage, type FormatOptions, type FormatValues } from "icu-minify/format";
import { cloneElement, isValidElement, type ReactNode } from "react";
import type { createTranslator } from "use-intl/core";
import type { Area, Catalogue } from "./catalogues.ts";
import { type CompiledTexts, compiledTexts } from "./compiled.ts";
import { languageOf, textLocaleOf } from "./languages.ts";

/**
 * The type of `t("key", { name })`. It equals the result of use-intl's `useTranslations`, so one function can take
 * translators of the server and of the browser.
 */
export type Translator<Name extends Area> = ReturnType<typeof createTranslator<Catalogue, Name>>;

type Values = FormatValues<ReactNode>;

const cache = new Map<string, unknown>();

/**
 * The texts of one area in the reader's language, for code on the server. Components in the browser call
 * `useTranslations` inside `<Messages>`.
 * @param locale BCP 47; languages without texts get English.
 */
export const translator = <Name extends Area>(locale: string, area: Name): Translator<Name> => {
  const textLocale = textLocaleOf(locale);
  const key = `${textLocale}/${area}`;
  const known = cache.get(key) ?? createAreaTranslator(textLocale, area);
  // Locales come from accounts and browsers: the limit prevents invented locales from filling the memory.
  if (cache.size < 200) cache.set(key, known);
  return known as Translator<Name>;
};

/** Reads the texts by key at run time, when the types are no longer known. `translator` has the exact type. */
const createAreaTranslator = (locale: string, area: Area) => {
  const texts = compiledTexts(languageOf(locale), area);
  const parts = (key: string, values?: Values) =>
    format<ReactNode>(getText(texts, { area, key }), locale, values, { formatters });
  const t = (key: string, values?: Values): string => String(parts(key, values));
  const rich = (key: string, values?: Values): ReactNode => withKeys(parts(key, values));
  const raw = (key: string) => getText(texts, { area, key });
  const has = (key: string): boolean => findText(texts, key) !== null;
  return Object.assign(t, { rich, markup: t, raw, has });
};

const findText = (texts: CompiledTexts, key: string): CompiledMessage | null => {
  let node: CompiledMessage | CompiledTexts | undefined = texts;
  for (const name of key.split(".")) {
    if (typeof node !== "object" || Array.isArray(node) || !Object.hasOwn(node, name)) return null;
    node = node[name];
  }
  return typeof node === "string" || Array.isArray(node) ? node : null;
};

const getText = (texts: CompiledTexts, { area, key }: { area: Area; key: string }): CompiledMessage => {
  const text = findText(texts, key);
  if (text === null) throw new RangeError(`No text "${key}" in "${area}".`);
  return text;
};

/** React requires a key for each element of a list. */
const withKeys = (formatted: ReactNode): ReactNode =>
  Array.isArray(formatted)
    ? formatted.map((part, index) => (isValidElement(part) ? cloneElement(part, { key: String(index) }) : part))
    : formatted;

/** Caches Intl's formats by locale and options, because their creation is slow. */
const remember = <Options extends object | undefined, Format>(
  create: (locale: string, options: Options | undefined) => Format,
) => {
  const known = new Map<string, Format>();
  return (locale?: Intl.LocalesArgument, options?: Options): Format => {
    const key = `${locale}${JSON.stringify(options ?? null)}`;
    const made = known.get(key) ?? create(String(locale), options);
    if (known.size < 200) known.set(key, made);
    return made;
  };
};

const formatters: FormatOptions["formatters"] = {
  getDateTimeFormat: remember((locale, options) => new Intl.DateTimeFormat(locale, options)),
  getNumberFormat: remember((locale, options) => new Intl.NumberFormat(locale, options)),
  getPluralRules: remember((locale, options) => new Intl.PluralRules(locale, options)),
};
