import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { type Area, catalogues } from "./catalogues.ts";
import type { Language } from "./languages.ts";

/** Texts with ICU arguments, parsed, so that formatting them needs no parser. */
export type CompiledTexts = { readonly [key: string]: CompiledMessage | CompiledTexts };

/** Choices of plurals are objects without prototype, which React doesn't send to client components. */
const compilePlain = (text: string): CompiledMessage => JSON.parse(JSON.stringify(compile(text)));

const compileAll = (texts: object): CompiledTexts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === "string" ? compilePlain(text) : compileAll(text)]),
  );

const cache = new Map<string, CompiledTexts>();

/** The texts of one area in one language, compiled once per process. */
export const compiledTexts = (language: Language, area: Area): CompiledTexts => {
  const key = `${language}/${area}`;
  const known = cache.get(key);
  if (known) return known;
  const compiled = compileAll(catalogues[language][area]);
  cache.set(key, compiled);
  return compiled;
};
