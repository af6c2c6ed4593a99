import { describe, expect, test } from "vitest";
import { readPlansArguments } from "./plans-arguments.ts";

describe("the arguments of npm run plans (docs/operating.md, Plans)", () => {
  const apply = { command: "apply", file: "plans.yaml", isSandbox: false, isDryRun: false, isJson: false };
  const assign = {
    command: "assign",
    merchantId: "mch_1",
    planId: "pro",
    currency: null,
    version: null,
    isSandbox: false,
  };
  test.each([
    [["apply", "plans.yaml"], apply],
    [
      ["apply", "--dry-run", "plans.yaml", "--json", "--sandbox"],
      { ...apply, isSandbox: true, isDryRun: true, isJson: true },
    ],
    [["export"], { command: "export", isSandbox: false }],
    [["export", "--sandbox"], { command: "export", isSandbox: true }],
    [["assign", "--merchant", "mch_1", "--plan", "pro"], assign],
    [
      ["assign", "--merchant=mch_1", "--plan=pro", "--currency=JPY", "--version=2", "--sandbox"],
      { ...assign, currency: "JPY", version: 2, isSandbox: true },
    ],
  ])("%j", (args, expected) => expect(readPlansArguments(args)).toEqual(expected));

  test.each([
    [[], "no command: use apply FILE, export or assign"],
    [["publish"], "publish: use apply FILE, export or assign"],
    [["apply"], "apply: specify exactly one file"],
    [["apply", "a.yaml", "b.yaml"], "apply: specify exactly one file"],
    [["export", "a.yaml"], "export: takes no file (a.yaml)"],
    [["export", "--dry-run"], "--dry-run: only for apply"],
    [["export", "--json"], "--json: only for apply"],
    [["assign", "--plan", "pro"], "assign: use --merchant mch_… --plan ID"],
    [["assign", "--merchant", "mch_1"], "assign: use --merchant mch_… --plan ID"],
    [["assign", "--merchant", "mch_1", "--plan", "pro", "--currency", "eur"], "--currency: must be a known ISO 4217"],
    [
      ["assign", "--merchant", "mch_1", "--plan", "pro", "--version", "0"],
      "--version: must be a whole number of at least 1",
    ],
    [["export", "--plan", "pro"], "--plan: only for assign"],
    [["apply", "a.yaml", "--force"], "Unknown option '--force'"],
  ])("%j is refused with one line", (args, message) => {
    expect(() => readPlansArguments(args)).toThrow(message);
  });
});
