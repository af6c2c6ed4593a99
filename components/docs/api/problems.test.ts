import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { problemGroups } from "./problems.ts";

const sources = globSync("{server,app}/**/*.{ts,tsx}", { exclude: ["**/*.test.ts", "server/data/generated/**"] });

const thrownCodes = sources.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/new DomainError\(\s*"\w+",\s*\{\s*code:\s*"(\w+)"/g)].map(
    (match) => match[1] ?? "",
  ),
);

describe("the page of error codes (RFC 9457 §3.1.1)", () => {
  const documented = problemGroups.flatMap(({ meanings }) => Object.keys(meanings));

  it("has every code that the server throws", () => {
    expect(thrownCodes).toContain("refused_by_mandate");
    expect([...new Set(thrownCodes)].filter((code) => !documented.includes(code))).toEqual([]);
  });

  it("has each code once, so that anchors are unique", () => {
    expect(documented.filter((code, place) => documented.indexOf(code) !== place)).toEqual([]);
  });
});
