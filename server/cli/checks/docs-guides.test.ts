import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const runbooks = globSync("docs/runbooks/**/*.md").sort();
const guides = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/first-calls.md",
  "docs/operating.md",
  "docs/performance.md",
  "docs/capacity.md",
  "docs/limits.md",
];
const widestLine = 120;
const readmeLines = 120;
const paragraphWords = 60;

const read = (file: string) => readFileSync(file, "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "");

/** The name that GitHub gives a heading in links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
const anchorsOf = (file: string): string[] =>
  [...withoutBlocks(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

const linksIn = (file: string): string[] =>
  [...read(file).matchAll(/\]\((?!https?:)([^)]+)\)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? "");

/** @returns whether a link leads to a file, and to a heading in it. */
const isThere = (from: string, link: string): boolean => {
  const [name = "", anchor] = link.split("#");
  const target = name === "" ? from : path.join(path.dirname(from), name);
  return existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
};

/** Paths in code spans; patterns and placeholders are left out. */
const pathsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /`((?:app|components|server|e2e|packages|prisma|docs)\/[^`\s,]*|\.[a-z-]+\.(?:cjs|example)|compose\.yaml|Dockerfile)`/g,
    ),
  ]
    .map(([, file = ""]) => file)
    .filter((file) => !/[<>*…]/.test(file));

const paragraphsOf = (text: string): string[] =>
  withoutBlocks(text)
    .split(/\n\s*\n|\n(?=[-|#]|\d+\. )/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
const countWords = (text: string): number => text.match(/\S*\w\S*/g)?.length ?? 0;

describe.each([...guides, ...runbooks])("%s", (file) => {
  const text = read(file);

  test("has lines of at most 120 characters and paragraphs of at most 60 words", () => {
    expect(text.split("\n").filter((line) => line.length > widestLine)).toEqual([]);
    expect(paragraphsOf(text).filter((paragraph) => countWords(paragraph) > paragraphWords)).toEqual([]);
  });

  test("links only to files and headings that exist", () => {
    expect(linksIn(file).filter((link) => !isThere(file, link))).toEqual([]);
  });

  test("names only paths that exist", () => {
    expect(pathsIn(text).filter((named) => !existsSync(named))).toEqual([]);
  });

  test("names only commands of package.json", () => {
    const commands = [...text.matchAll(/npm (?:run )?([a-z][a-z:-]+)/g)].map(([, name = ""]) => name);
    for (const name of new Set(commands)) expect(scripts[name], name).toMatch(/server\/cli\/bootstrap\.mjs/);
  });
});

describe("the guides together", () => {
  test("README.md has at most 120 lines, a picture and the two commands", () => {
    const readme = read("README.md");
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(readmeLines);
    expect(linksIn("README.md")).toContain("docs/images/consent-and-wallet.png");
    expect(readme).toMatch(/^npm start$/m);
    expect(readme).toMatch(/^npm test$/m);
  });

  test("README.md links to every other guide", () => {
    const reached = new Set(linksIn("README.md").map((link) => link.split("#")[0]));
    expect(guides.filter((guide) => guide !== "README.md" && !reached.has(guide))).toEqual([]);
  });

  test("every command of package.json is in a guide", () => {
    const all = [...guides, ...runbooks].map(read).join("\n");
    const missing = Object.keys(scripts).filter((name) => !new RegExp(`npm (?:run )?${name}(?![\\w:-])`).test(all));
    expect(missing).toEqual([]);
  });

  test("docs/operating.md has every setting of .env.example", () => {
    const settings = [...read(".env.example").matchAll(/^#([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const described = new Set(read("docs/operating.md").match(/\b[A-Z][A-Z_]+[A-Z]\b|\bPORT\b/g));
    expect(settings.length).toBeGreaterThan(40);
    expect(settings.filter((name) => !described.has(name))).toEqual([]);
  });
});
