import { nastyJson, nastyText } from "../nasty.ts";
import type { Random } from "../random.ts";

type Path = readonly (string | number)[];

const pathsOf = (value: unknown, at: Path = []): Path[] => {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...at, name]))];
};

const marker = "\u0001here\u0001";

/** The value as JSON text, with `replacement` in one place. The replacement can be text that no serializer writes. */
const replaceAt = (value: unknown, path: Path, replacement: string): string => {
  if (path.length === 0) return replacement;
  const copy: unknown = structuredClone(value);
  let parent = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
  parent[path.at(-1) ?? ""] = marker;
  return JSON.stringify(copy).replace(JSON.stringify(marker), () => replacement);
};

const without = (value: unknown, path: Path): unknown => {
  if (path.length === 0) return undefined;
  const copy: unknown = structuredClone(value);
  let parent = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
  delete parent[path.at(-1) ?? ""];
  return copy;
};

const withMember = (value: unknown, random: Random): string => {
  const text = JSON.stringify(value);
  const name = JSON.stringify(nastyText(random));
  return text.startsWith("{") ? text.replace("{", () => `{${name}:${random.pick(nastyJson)},`) : text;
};

const mangleText = (text: string, random: Random): string => {
  switch (random.below(7)) {
    case 0:
      return `${text}${random.pick(["x", "}", "\0", "//", ",", text])}`;
    case 1:
      return `\ufeff${text}`;
    case 2:
      return text.slice(0, random.below(text.length));
    case 3:
      return text.replaceAll('"', "'");
    case 4:
      return text.replace(/[{[]/, (bracket) => `${bracket} /* c */`);
    case 5:
      return text.replace(/[}\]]$/, (bracket) => `,${bracket}`);
    default:
      return `${" \n\t".repeat(random.below(500))}${text}`;
  }
};

/** A JSON text that differs slightly from `value`. */
export const mutateJson = (value: unknown, random: Random): string => {
  const path = random.pick(pathsOf(value));
  switch (random.below(6)) {
    case 0:
      return JSON.stringify(without(value, path)) ?? "";
    case 1:
      return withMember(value, random);
    case 2:
      return mangleText(JSON.stringify(value), random);
    case 3:
      return replaceAt(value, path, JSON.stringify(nastyText(random)));
    default:
      return replaceAt(value, path, random.pick(nastyJson));
  }
};
