import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = "docs/adr";
const specification = "docs/spec";
const maxWords = 190;
const widestLine = 120;

const form =
  /^# (?<number>\d{3})\. (?<title>.+)\n\nDate: (?<date>\d{4}-\d\d-\d\d)\nStatus: (?<status>accepted|superseded by ADR \d{3})\n\n## Context\n\n(?<context>[^#]+)\n## Decision\n\n(?<decision>[^#]+)\n## Consequences\n\n(?<consequences>[^#]+)\n## Alternatives\n\n(?<alternatives>[^#]+)$/;

const read = (file: string) => readFileSync(`${folder}/${file}`, "utf8");

const files = readdirSync(folder)
  .filter((file) => file !== "README.md")
  .sort();

/** The named parts of a record; empty if it doesn't have this form. */
const partsOf = (file: string): Readonly<Record<string, string>> => form.exec(read(file))?.groups ?? {};

const tooWide = (text: string): string[] => text.split("\n").filter((line) => line.length > widestLine);

/** The dash of a list item isn't a word. */
const countWords = ({ context, decision, consequences, alternatives }: Readonly<Record<string, string>>): number =>
  [context, decision, consequences, alternatives].join(" ").match(/\S*\w\S*/g)?.length ?? 0;

/** All matches of `pattern` in tracked files. Needs a Git repository. */
const matchesInTrackedFiles = (pattern: string): string[] => [
  ...new Set(execFileSync("git", ["grep", "-hoE", pattern], { encoding: "utf8" }).trim().split("\n")),
];

describe("architecture decision records", () => {
  test.each(files)("%s has the form of a record", (file) => {
    const parts = partsOf(file);
    expect(file).toMatch(/^\d{3}-[a-z0-9]+(-[a-z0-9]+)*\.md$/);
    expect(parts["number"]).toBe(file.slice(0, 3));
    expect(countWords(parts)).toBeLessThanOrEqual(maxWords);
    expect(tooWide(read(file))).toEqual([]);
  });

  test("records are numbered without gaps, in the order of their dates", () => {
    expect(files.map((file) => Number(file.slice(0, 3)))).toEqual(files.map((_, index) => index + 1));
    const dates = files.map((file) => partsOf(file)["date"]);
    expect(dates).toEqual(dates.toSorted());
  });

  test("the index lists each record with its title, date and status", () => {
    const rows = read("README.md")
      .split("\n")
      .filter((line) => /^\| \d/.test(line));
    expect(rows).toEqual(
      files.map((file) => {
        const { number, title, date, status } = partsOf(file);
        return `| ${number} | [${title}](${file}) | ${date} | ${status} |`;
      }),
    );
  });

  test.skipIf(!existsSync(".git"))("every reference to a record names an existing record", () => {
    const paths = matchesInTrackedFiles("docs/adr/[A-Za-z0-9_-]+\\.[a-z]+");
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
    const numbers = matchesInTrackedFiles("ADR [0-9]{3}").map((reference) => reference.slice(4));
    expect(numbers.filter((number) => !files.some((file) => file.startsWith(number)))).toEqual([]);
  });
});

const chapters = readdirSync(specification).sort();
const readChapter = (chapter: string) => readFileSync(`${specification}/${chapter}`, "utf8");
const headingsOf = (chapter: string): string[] =>
  [...readChapter(chapter).matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

/** Tracked files outside the specification that contain `text`. Needs a Git repository. */
const trackedFilesWith = (text: string): string[] => {
  const args = ["grep", "-lIF", "-e", text, "--", ".", `:!${specification}`];
  const { status, stdout, stderr } = spawnSync("git", args, { encoding: "utf8" });
  // Git grep ends with 1 if nothing matches. Any other status is an error and must not look like "no citation".
  if (status !== 0 && status !== 1) throw new Error(`git grep failed: ${stderr}`);
  return stdout.split("\n").filter((file) => file !== "");
};

/** A citation may continue in the next line of a comment. */
const joinLines = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--|#)?\s*/g, " ");

type Citation = { file: string; chapter: string; rest: string };

const citationsIn = (file: string): Citation[] =>
  [
    ...joinLines(readFileSync(file, "utf8")).matchAll(
      /docs\/spec\/(?<chapter>[\w-]+\.md)(?=(?:, (?<rest>[A-Z].{0,60}))?)/g,
    ),
  ].map(({ groups }) => ({ file, chapter: groups?.["chapter"] ?? "", rest: groups?.["rest"] ?? "" }));

/** Citations of the earlier documents, which the specification replaced. */
const replaced =
  /(?<![\w-])[0-7]-(?:product|oauth|payments|portal|billing|status|directory(?:-[a-z]+)*|scale)(?![\w-])/g;

const namesHeading = ({ chapter, rest }: Citation): boolean =>
  chapters.includes(chapter) &&
  (rest === "" ||
    headingsOf(chapter).some((heading) => rest.startsWith(heading) && !/^\w/.test(rest.slice(heading.length))));

describe("the specification", () => {
  test.each(chapters)("%s has lines of at most 120 characters and distinct headings", (chapter) => {
    expect(tooWide(readChapter(chapter))).toEqual([]);
    expect(headingsOf(chapter)).toEqual([...new Set(headingsOf(chapter))]);
  });

  test("the index lists each file", () => {
    const listed = [...readChapter("README.md").matchAll(/^\| \[(?<name>[\w-]+\.md)\]\(\k<name>\) /gm)];
    expect(listed.map(({ groups }) => groups?.["name"]).sort()).toEqual(
      chapters.filter((chapter) => chapter !== "README.md"),
    );
  });

  test.skipIf(!existsSync(".git"))("every citation names an existing heading", () => {
    const citations = trackedFilesWith(`${specification}/`).flatMap(citationsIn);
    expect(citations.filter((citation) => !namesHeading(citation))).toEqual([]);
  });

  test.skipIf(!existsSync(".git"))("no citation names a document that the specification replaced", () => {
    const names = ["product", "oauth", "payments", "portal", "billing", "status", "directory", "scale"];
    const files = new Set(names.flatMap((name) => trackedFilesWith(`-${name}`)));
    const left = [...files].flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(replaced)].map(([citation]) => `${file}: ${citation}`),
    );
    expect(left).toEqual([]);
  });
});
