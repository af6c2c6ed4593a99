import { describe, expect, test } from "vitest";
import { readPlansArguments } from "./plans-arguments.ts";

describe("the arguments of npm run plans (docs/operating.md, Plans)", () => {
  const apply = { command: "apply", file: "plans.yaml", isSandbox: false, isDryRun: false, isJson: false };
  test.each([
    [["apply", "plans.yaml"], apply],
    [
      ["apply", "--dry-run", "plans.yaml", "--json", "--sandbox"],
      { ...apply, isSandbox: true, isDryRun: true, isJson: true },
    ],
    [["export"], { command: "export", isSandbox: false }],
    [["export", "--sandbox"], { command: "export", isSandbox: true }],
  ])("%j", (args, expected) => expect(readPlansArguments(args)).toEqual(expected));

  test.each([
    [[], "no command: use apply FILE or export"],
    [["publish"], "publish: use apply FILE or export"],
    [["apply"], "apply: name one file"],
    [["apply", "a.yaml", "b.yaml"], "apply: name one file"],
    [["export", "a.yaml"], "export: takes no file (a.yaml)"],
    [["export", "--dry-run"], "--dry-run: only for apply"],
    [["export", "--json"], "--json: only for apply"],
    [["apply", "a.yaml", "--force"], "Unknown option '--force'"],
  ])("%j is refused with one line", (args, message) => {
    expect(() => readPlansArguments(args)).toThrow(message);
  });
});
