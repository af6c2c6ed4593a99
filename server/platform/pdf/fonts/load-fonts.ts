import { readFile } from "node:fs/promises";
import { create, type Font } from "fontkit";
import subsetFont from "subset-font";
import { type FontFile, fontFilesOf } from "./font-files.ts";

export type Weight = "regular" | "bold";

const weights = { regular: 400, bold: 600 } as const;

/** A font of one weight, as TrueType. `name`: unique for the file and the weight. */
type LoadedFont = { name: string; bytes: Buffer; characters: ReadonlySet<number> };

/** Part of a text with one font. */
export type Run = { font: string; text: string };

/** The fonts for the characters of a document. */
export type Fonts = {
  all: readonly { name: string; bytes: Buffer }[];
  /** Divides a text into runs. A character that no font has becomes similar letters or a question mark. */
  toRuns: (text: string, weight: Weight) => Run[];
};

/**
 * Kept while the thread runs. PDFKit parses the bytes for each document, so a document doesn't depend on earlier
 * documents.
 */
const loaded = new Map<string, Promise<LoadedFont>>();

const loadFont = (file: FontFile, weight: Weight): Promise<LoadedFont> => {
  const name = `${file.path}#${weight}`;
  const known = loaded.get(name);
  if (known) return known;
  const loading = convert(file, weight, name);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
};

/** PDFKit can embed neither WOFF2 nor variable fonts, so the font is converted to TrueType with a fixed weight. */
const convert = async (file: FontFile, weight: Weight, name: string): Promise<LoadedFont> => {
  const text = file.ranges.map(charactersOf).join("");
  const options = { targetFormat: "truetype", variationAxes: { wght: weights[weight] } } as const;
  const bytes = await subsetFont(await readFile(file.path), text, options);
  return { name, bytes, characters: new Set((create(bytes) as Font).characterSet) };
};

const charactersOf = ([first, last]: readonly [number, number]): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** @param texts all texts of the document */
export const loadFonts = async (texts: readonly string[]): Promise<Fonts> => {
  const characters = new Set(texts.flatMap((text) => [...toPlainSpaces(text), ...lettersOf(text)]));
  const fonts = { regular: new Map<string, LoadedFont>(), bold: new Map<string, LoadedFont>() };
  for (const character of [...characters, "?"]) {
    for (const weight of ["regular", "bold"] as const) {
      const font = await findFont(character, weight);
      if (font) fonts[weight].set(character, font);
    }
  }
  return {
    all: [...new Set([...fonts.regular.values(), ...fonts.bold.values()])],
    toRuns: (text, weight) => toRuns(text, fonts[weight]),
  };
};

const findFont = async (character: string, weight: Weight): Promise<LoadedFont | null> => {
  // Control characters and direction marks have no font, so a question mark is drawn instead.
  const codePoint = character.codePointAt(0) ?? 0;
  if (/\p{C}/u.test(character)) return null;
  for (const file of fontFilesOf(codePoint)) {
    const font = await loadFont(file, weight);
    if (font.characters.has(codePoint)) return font;
  }
  return null;
};

const toPlainSpaces = (text: string): string => text.normalize("NFC").replaceAll(/[^\S\n]/g, " ");

/** The letters of which a character consists: `fi` for a ligature. */
const lettersOf = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "");

const toRuns = (text: string, fonts: ReadonlyMap<string, LoadedFont>): Run[] => {
  const runs: Run[] = [];
  const add = (character: string): void => {
    const font = fonts.get(character)?.name ?? "";
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  };
  for (const character of toPlainSpaces(text)) {
    const letters = fonts.has(character) ? character : lettersOf(character);
    const isDrawable = letters !== "" && [...letters].every((letter) => fonts.has(letter));
    for (const letter of isDrawable ? letters : "?") add(letter);
  }
  return runs;
};
