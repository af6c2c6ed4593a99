import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { describe, expect, it } from "vitest";
import { type Area, catalogues } from "./catalogues.ts";
import { type CompiledTexts, compiledTexts } from "./compiled.ts";

const areas = Object.keys(catalogues.en) as Area[];

/** Every text by its full key. */
const flatten = (texts: CompiledTexts, prefix = ""): [key: string, text: CompiledMessage][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" || Array.isArray(text)
      ? [[`${prefix}${key}`, text as CompiledMessage]]
      : flatten(text as CompiledTexts, `${prefix}${key}.`),
  );

const kinds = ["", "select", "plural", "ordinal", "number", "date", "time"] as const;

/** The arguments that a caller must pass, such as `name (plural)` or `link (tag)`, including those of nested texts. */
const argumentsOf = (node: unknown): string[] => {
  if (!Array.isArray(node)) return [];
  const [name, type, ...rest] = node;
  if (type === undefined) return [name];
  if (typeof type !== "number" || type === 0) return [`${name} (tag)`, ...[type, ...rest].flatMap(argumentsOf)];
  const choices = type <= 3 ? Object.values<unknown>(rest[0]) : [];
  const nested = choices.flatMap((choice) => (Array.isArray(choice) ? choice.flatMap(argumentsOf) : []));
  return [`${name} (${kinds[type]})`, ...nested];
};

const signatureOf = (text: CompiledMessage): string[] =>
  typeof text === "string" ? [] : [...new Set(text.flatMap((node) => argumentsOf(node)))].toSorted();

describe("texts that payers see (docs/spec/portal.md, Languages)", () => {
  it.each(areas)("%s has the same keys and the same arguments in English and German", (area) => {
    const [english, german] = [flatten(compiledTexts("en", area)), flatten(compiledTexts("de", area))];
    expect(german.map(([key]) => key).toSorted()).toEqual(english.map(([key]) => key).toSorted());
    const signatures = (texts: typeof english) =>
      Object.fromEntries(texts.map(([key, text]) => [key, signatureOf(text)]));
    expect(signatures(german)).toEqual(signatures(english));
  });

  it.each(areas)("%s has no empty text, and no straight quotes", (area) => {
    const texts = (["en", "de"] as const).flatMap((language) => flatten(compiledTexts(language, area)));
    const bad = texts.filter(([, text]) => text === "" || (typeof text === "string" && /['"]/.test(text)));
    expect(bad).toEqual([]);
  });

  it.each(areas)("%s can be sent to client components: its objects are plain", (area) => {
    const isPlain = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      ((Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) &&
        Object.values(value).every(isPlain));
    expect(flatten(compiledTexts("en", area)).filter(([, text]) => !isPlain(text))).toEqual([]);
  });

  it("finds the arguments of nested texts", () => {
    const signature = signatureOf(
      compile("{name} a <b>x {inner}</b> {count, plural, one {1 {one}} other {{two}}} {kind, select, a {A} other {}}"),
    );
    expect(signature).toEqual(["b (tag)", "count (plural)", "inner", "kind (select)", "name", "one", "two"]);
  });
});
