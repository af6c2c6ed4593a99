import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { measureSource, type SourceFigures } from "./measure-source.ts";

/** One rule: what it counts, the limit, the largest value found, and each place above the limit. */
export type CodeFigure = { rule: string; limit: number; largest: number; offenders: string[] };

type Measured = { file: string; figures: SourceFigures };

const filesPerFolder = 15;
const linesPerFunction = 60;
const linesPerFile = 300;
const positionalParameters = 3;

/** Folders that may hold more files, with the reason. */
const largerFolders: Readonly<Record<string, string>> = {
  "server/cli": "one file per npm command: server/cli/bootstrap.mjs finds it by the command's name",
};

/** Next requires these names, so several page and route files export functions with the same name. */
const namedByNext = new Set(["generateMetadata", "generateStaticParams"]);

const isTest = (file: string): boolean => /\.(test|spec|fixture)\.tsx?$/.test(file);
const isSource = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith(".d.ts");

const generated = /^(server\/data\/generated|packages\/client\/dist)\//;
const areas = ["server", "components", "app", "e2e", "prisma", "packages"];

const listFiles = (root: string): string[] =>
  areas
    .flatMap((area) =>
      readdirSync(path.join(root, area), { recursive: true, encoding: "utf8" }).map((file) => `${area}/${file}`),
    )
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => isSource(file) && !generated.test(file))
    .toSorted();

const countPerFolder = (files: readonly string[]): CodeFigure => {
  const counts = new Map<string, number>();
  // The folders of app are the paths of the site.
  for (const file of files.filter((name) => !isTest(name) && !name.startsWith("app/"))) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const counted = [...counts].filter(([folder]) => !largerFolders[folder]);
  return {
    rule: "files per folder, besides tests",
    limit: filesPerFolder,
    largest: Math.max(0, ...counted.map(([, count]) => count)),
    offenders: counted.filter(([, count]) => count > filesPerFolder).map(([folder, count]) => `${folder}: ${count}`),
  };
};

const countLines = (measured: readonly Measured[]): CodeFigure => ({
  rule: "lines per file",
  limit: linesPerFile,
  largest: Math.max(0, ...measured.map(({ figures }) => figures.lines)),
  offenders: measured
    .filter(({ figures }) => figures.lines > linesPerFile)
    .map(({ file, figures }) => `${file}: ${figures.lines}`),
});

const countOfFunctions = (
  measured: readonly Measured[],
  { rule, limit, key }: { rule: string; limit: number; key: "lines" | "parameters" },
): CodeFigure => {
  const all = measured.flatMap(({ file, figures }) => figures.functions.map((each) => ({ file, ...each })));
  return {
    rule,
    limit,
    largest: Math.max(0, ...all.map((each) => each[key])),
    offenders: all
      .filter((each) => each[key] > limit)
      .map((each) => `${each.file}:${each.line} ${each.name}: ${each[key]}`),
  };
};

const countSpreads = (measured: readonly Measured[]): CodeFigure => {
  const offenders = measured.flatMap(({ figures }) =>
    figures.spreadLiterals.map(({ name, line }) => `${name}:${line}`),
  );
  return { rule: "spread literals", limit: 0, largest: offenders.length, offenders };
};

const countSharedNames = (measured: readonly Measured[]): CodeFigure => {
  const places = new Map<string, string[]>();
  for (const { file, figures } of measured) {
    const [area] = file.split("/");
    for (const name of figures.exportedFunctions.filter((each) => !namedByNext.has(each))) {
      const key = `${name} in ${area}`;
      places.set(key, [...(places.get(key) ?? []), file]);
    }
  }
  const offenders = [...places]
    .filter(([, files]) => files.length > 1)
    .map(([key, files]) => `${key}: ${files.join(", ")}`);
  return { rule: "exported functions of one name", limit: 0, largest: offenders.length, offenders };
};

/** Measures every source file below `root`. */
export const measureCode = (root: string): CodeFigure[] => {
  const files = listFiles(root);
  const all = files.map((file) => ({
    file,
    figures: measureSource(file, readFileSync(path.join(root, file), "utf8")),
  }));
  const code = all.filter(({ file }) => !isTest(file));
  return [
    countPerFolder(files),
    countLines(code),
    countOfFunctions(code, { rule: "lines per function", limit: linesPerFunction, key: "lines" }),
    countOfFunctions(all, { rule: "positional parameters", limit: positionalParameters, key: "parameters" }),
    countSpreads(all),
    countSharedNames(code),
  ];
};

/** A line per rule, and below it each place that is above its limit. */
export const formatFigures = (figures: readonly CodeFigure[]): string => {
  const width = Math.max(...figures.map(({ rule }) => rule.length));
  return figures
    .map(({ rule, limit, largest, offenders }) =>
      [
        `${rule.padEnd(width)}  limit ${String(limit).padStart(3)}  largest ${String(largest).padStart(4)}`,
        ...offenders.map((offender) => `  ${offender}`),
      ].join("\n"),
    )
    .join("\n");
};
