import { describe, expect, test } from "vitest";
import { readCategory, readWebsite, statementDescriptorProblem } from "./merchant-texts.ts";

describe("a category as typed (ISO 18245)", () => {
  test.each([
    ["5411", "5411"],
    [" 5411 Grocery stores and supermarkets ", "5411"],
    ["5411 anything after the code", "5411"],
    ["grocery stores and SUPERMARKETS", "5411"],
    ["3000", "3000"],
    ["5410", null],
    ["54110", null],
    ["Groceries", null],
    ["", null],
  ])("%s is read as %s", (text, code) => expect(readCategory(text)).toBe(code));
});

describe("a website as typed", () => {
  test.each([
    ["fresh-market.example", "https://fresh-market.example/"],
    ["HTTPS://Fresh-Market.example/shop", "https://fresh-market.example/shop"],
    ["http://fresh-market.example", "http://fresh-market.example/"],
    ["bücher.example", "https://xn--bcher-kva.example/"],
    ["javascript:alert(1)", null],
    ["javascript://fresh-market.example/%0aalert(1)", null],
    ["https://user@fresh-market.example", null],
    ["fresh market", null],
    ["localhost", null],
    ["https://192.0.2.1/", null],
    ["", null],
  ])("%s is read as %s", (text, address) => expect(readWebsite(text)).toBe(address));
});

test.each([
  ["FRESH MARKET", null],
  ["SHOP", "5 to 22"],
  ["A".repeat(23), "5 to 22"],
  ["FRESH*MARKET", "characters"],
  ["CAFÉ NOIR", "accents"],
  ["123 456", "letter"],
])("the statement descriptor %s: %s", (text, problem) => {
  const found = statementDescriptorProblem(text);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
