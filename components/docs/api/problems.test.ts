import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { problemGroups } from "./problems.ts";

const sources = globSync("{server,app}/**/*.{ts,tsx}", { exclude: ["**/*.test.ts", "server/data/generated/**"] });

const thrownCodes = sources.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/new DomainError\(\s*"\w+",\s*"(\w+)"/g)].map((match) => match[1] ?? ""),
);

describe("the page that every problem's type leads to (RFC 9457 §3.1.1)", () => {
  const told = problemGroups.flatMap(({ meanings }) => Object.keys(meanings));

  it("tells every code that the server throws", () => {
    expect(thrownCodes).toContain("refused_by_mandate");
    expect([...new Set(thrownCodes)].filter((code) => !told.includes(code))).toEqual([]);
  });

  it("tells each once, so that an anchor is one place", () => {
    expect(told.filter((code, place) => told.indexOf(code) !== place)).toEqual([]);
  });
});
