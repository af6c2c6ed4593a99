import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** One file of a font: a variable font in WOFF2 with the characters of some ranges. */
export type FontFile = { path: string; ranges: readonly (readonly [first: number, last: number])[] };

const require = createRequire(import.meta.url);

/**
 * Inter has Latin, Greek and Cyrillic. Noto Sans adds Chinese, Japanese and Korean. Only the numbered files of Noto
 * Sans are used, because its other files have letters that Inter has too.
 */
const families = [
  { name: "inter", index: require.resolve(/* turbopackIgnore: true */ "@fontsource-variable/inter"), parts: /./ },
  {
    name: "noto-sans-jp",
    index: require.resolve(/* turbopackIgnore: true */ "@fontsource-variable/noto-sans-jp"),
    parts: /^\[\d+\]$/,
  },
  {
    name: "noto-sans-sc",
    index: require.resolve(/* turbopackIgnore: true */ "@fontsource-variable/noto-sans-sc"),
    parts: /^\[\d+\]$/,
  },
  {
    name: "noto-sans-kr",
    index: require.resolve(/* turbopackIgnore: true */ "@fontsource-variable/noto-sans-kr"),
    parts: /^\[\d+\]$/,
  },
];

const readFamily = ({ name, index, parts }: (typeof families)[number]): FontFile[] => {
  const folder = path.dirname(index);
  const ranges = JSON.parse(readFileSync(path.join(folder, "unicode.json"), "utf8")) as Record<string, string>;
  return Object.entries(ranges)
    .filter(([part]) => parts.test(part))
    .map(([part, text]) => ({
      path: path.join(folder, "files", `${name}-${part.replaceAll(/[[\]]/g, "")}-wght-normal.woff2`),
      ranges: text.split(",").map(readRange),
    }));
};

/** @param text as in CSS: `U+0460-052F` or `U+20B4` */
const readRange = (text: string): readonly [number, number] => {
  const [first = "", last = first] = text.trim().slice(2).split("-");
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
};

let files: readonly FontFile[] | undefined;
const known = new Map<number, readonly FontFile[]>();

/** The files that may have the character, the preferred one first. */
export const fontFilesOf = (codePoint: number): readonly FontFile[] => {
  const found = known.get(codePoint);
  if (found) return found;
  files ??= families.flatMap(readFamily);
  const having = files.filter(({ ranges }) => ranges.some(([first, last]) => first <= codePoint && codePoint <= last));
  known.set(codePoint, having);
  return having;
};
