import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = "docs/adr";
const mostWords = 250;
const widestLine = 120;

const form =
  /^# (?<number>\d{3})\. (?<title>.+)\n\nDate: (?<date>\d{4}-\d\d-\d\d)\nStatus: (?<status>accepted|superseded by ADR \d{3})\n\n## Context\n\n(?<context>[^#]+)\n## Decision\n\n(?<decision>[^#]+)\n## Consequences\n\n(?<consequences>[^#]+)\n## Alternatives\n\n(?<alternatives>[^#]+)$/;

const read = (file: string) => readFileSync(`${folder}/${file}`, "utf8");

const files = readdirSync(folder)
  .filter((file) => file !== "README.md")
  .sort();

/** The named parts of a record; empty where it doesn't have the form. */
const partsOf = (file: string): Readonly<Record<string, string>> => form.exec(read(file))?.groups ?? {};

/** A list's dash is no word. */
const countWords = ({ context, decision, consequences, alternatives }: Readonly<Record<string, string>>): number =>
  [context, decision, consequences, alternatives].join(" ").match(/\S*\w\S*/g)?.length ?? 0;

/** What tracked files name by `pattern`. Only where Git knows which files those are. */
const namedInTrackedFiles = (pattern: string): string[] => [
  ...new Set(execFileSync("git", ["grep", "-hoE", pattern], { encoding: "utf8" }).trim().split("\n")),
];

describe("architecture decision records", () => {
  test.each(files)("%s has the form of a record", (file) => {
    const parts = partsOf(file);
    expect(file).toMatch(/^\d{3}-[a-z0-9]+(-[a-z0-9]+)*\.md$/);
    expect(parts["number"]).toBe(file.slice(0, 3));
    expect(countWords(parts)).toBeLessThanOrEqual(mostWords);
    expect(
      read(file)
        .split("\n")
        .filter((line) => line.length > widestLine),
    ).toEqual([]);
  });

  test("numbers have no gap and follow the dates", () => {
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

  test.skipIf(!existsSync(".git"))("every reference to a record leads to one", () => {
    const paths = namedInTrackedFiles("docs/adr/[A-Za-z0-9_-]+\\.[a-z]+");
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
    const numbers = namedInTrackedFiles("ADR [0-9]{3}").map((reference) => reference.slice(4));
    expect(numbers.filter((number) => !files.some((file) => file.startsWith(number)))).toEqual([]);
  });
});
