import { expect, test } from "vitest";
import { readRegistrationTokenArguments } from "./registration-token-arguments.ts";

const now = new Date("2026-11-21T12:00:00Z");
const read = (line: string) => readRegistrationTokenArguments(line === "" ? [] : line.split(" "), now);
const day = 24 * 3600;

test.each([
  ["--merchant mch_1", { kind: "merchant", merchantId: "mch_1", uses: 1, ttlSeconds: day }],
  ["--kind merchant --merchant mch_1 --uses 5", { kind: "merchant", merchantId: "mch_1", uses: 5, ttlSeconds: day }],
  ["--agent", { kind: "agent", merchantId: null, uses: 1, ttlSeconds: day }],
  ["--kind agent --expires 30m", { kind: "agent", merchantId: null, uses: 1, ttlSeconds: 1800 }],
  ["--agent --expires 7d", { kind: "agent", merchantId: null, uses: 1, ttlSeconds: 7 * day }],
  ["--agent --expires 2026-11-22T12:00:00Z", { kind: "agent", merchantId: null, uses: 1, ttlSeconds: day }],
  ["--agent --scope a", { kind: "agent", merchantId: null, uses: 1, ttlSeconds: day, scopes: ["a"] }],
])("%s", (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test("accepts several scopes in one argument, and reads an empty argument as no scope", () => {
  const scopesOf = (scope: string) => readRegistrationTokenArguments(["--agent", "--scope", scope], now)?.scopes;
  expect(scopesOf("charges.read  mandates.verify")).toEqual(["charges.read", "mandates.verify"]);
  expect(scopesOf("")).toEqual([]);
});

test("returns null when neither a merchant nor a kind is named", () => {
  expect(read("")).toBeNull();
});

test.each([
  ["--kind payer", /--kind/],
  ["--kind merchant", /--merchant/],
  ["--kind agent --merchant mch_1", /--merchant/],
  ["--agent --merchant mch_1", /--merchant/],
  ["--agent --uses many", /--uses/],
  ["--agent --uses=-1", /--uses/],
  ["--agent --expires tomorrow", /--expires/],
  ["--agent --expires 24", /--expires/],
  ["--agent --hours 24", /--hours/],
])("refuses %s, and names the problem", (line, problem) => {
  expect(() => read(line)).toThrow(problem);
});
