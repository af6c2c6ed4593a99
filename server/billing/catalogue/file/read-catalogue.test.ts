import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readCatalogue } from "./read-catalogue.ts";
import { readYaml } from "./read-yaml.ts";

const example = readFileSync(path.resolve(import.meta.dirname, "../../../../docs/examples/plans.yaml"), "utf8");

const problemsOf = (text: string): string[] =>
  readCatalogue(text).problems.map(({ line, column, pointer, message }) => `${line}:${column} ${pointer} ${message}`);

const pro = ["  pro:", "    name: Pro", "    effective_from: 2027-01-01", "    interval: month"];
/** A catalogue with one plan; the terms of its currency are in line 8. */
const withTerms = (line: string): string =>
  ["catalogue: 1", "plans:", ...pro, "    currencies: {EUR: {", `      ${line}`, "      }}"].join("\n");
const withPrice = (price: string): string => withTerms(`prices: {tokens_issued: ${price}}`);

describe("a catalogue file (docs/spec/billing.md, Catalogue)", () => {
  test("the example has no problems, and its entries keep the order of the file", () => {
    const { entries, problems } = readCatalogue(example);
    expect(problems).toEqual([]);
    expect(entries.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      "plan starter",
      "plan pro",
      "plan enterprise",
      "coupon LAUNCH",
      "coupon WELCOME",
      "tax_rate DE",
      "tax_rate EU-REVERSE-CHARGE",
    ]);
    const plan = entries.find(({ id }) => id === "pro");
    expect(plan).toMatchObject({ kind: "plan", isRetired: false, isMigrating: false });
    const currencies = plan?.kind === "plan" ? plan.definition.currencies : {};
    expect(Object.keys(currencies)).toEqual(["EUR", "USD"]);
    expect(Object.keys(currencies["EUR"]?.prices ?? {})).toEqual([
      "tokens_issued",
      "successful_charges",
      "own:sms_sent",
    ]);
  });

  test("reads retired, migrate and empty sections", () => {
    const { entries, problems } = readCatalogue(
      [
        "catalogue: 1",
        "plans:",
        ...pro,
        "    currencies: {EUR: {}}",
        "    retired: true",
        "    migrate: next_period",
        "coupons:",
      ].join("\n"),
    );
    expect(problems).toEqual([]);
    expect(entries).toMatchObject([{ id: "pro", isRetired: true, isMigrating: true }]);
    expect(Object.keys(entries[0]?.definition ?? {})).not.toContain("retired");
  });

  test("returns all problems of all entries with their positions", () => {
    const text = [
      "catalogue: 1",
      "plans:",
      ...pro,
      "    currency: EUR",
      "  Free:",
      "    name: Free",
      "coupons:",
      "  LAUNCH: {percent: 20}",
      "tax_rates:",
      '  DE: {category: S, rate: "19", behaviour: exclusive, note: x}',
    ].join("\n");
    const positions = problemsOf(text).map((problem) => problem.split(" ", 2).join(" "));
    expect(positions).toEqual([
      "3:3 /plans/pro/currencies",
      "7:5 /plans/pro/currency",
      "8:3 /plans/Free",
      "8:3 /plans/Free/effective_from",
      "8:3 /plans/Free/interval",
      "8:3 /plans/Free/currencies",
      "11:21 /coupons/LAUNCH/percent",
      "13:55 /tax_rates/DE/note",
    ]);
  });

  test("problems of one currency are returned together", () => {
    const line =
      'minimum: 20, maximum: 10, prices: {successful_charges: {model: basis_points, rate: "1", min: "5", max: "3"}, step_ups: {model: basis_points, rate: "1"}}';
    expect(readCatalogue(withTerms(line)).problems.map(({ pointer }) => pointer)).toEqual([
      "/plans/pro/currencies/EUR/prices/successful_charges/min",
      "/plans/pro/currencies/EUR/prices/step_ups/model",
      "/plans/pro/currencies/EUR/maximum",
    ]);
  });

  test("__proto__ isn't a currency", () => {
    const text = ["catalogue: 1", "plans:", ...pro, "    currencies: {EUR: {}, __proto__: {flat: 1}}"].join("\n");
    expect(problemsOf(text)).toEqual([
      "7:38 /plans/pro/currencies/__proto__ isn’t a known currency: use an ISO 4217 code in upper case, such as EUR",
    ]);
  });

  const notDecimal = "must be a decimal in quotes, such as '0.8'";
  test.each([
    ["a unit price without quotes", withPrice("{model: per_unit, unit: 0.8}"), notDecimal],
    ["a whole unit price without quotes", withPrice("{model: per_unit, unit: 1}"), notDecimal],
    ["an amount with a fraction", withTerms("flat: 4900.0"), "must be a whole number"],
    ["an amount with an exponent", withTerms("flat: 49e2"), "must be a whole number"],
    ["an amount in hexadecimal", withTerms("flat: 0x10"), "must be a whole number"],
    ["an amount in quotes", withTerms('flat: "4900"'), "must be a whole number"],
    ["a negative amount", withTerms("flat: -1"), "must be at least 0"],
    ["an unknown key", withTerms("flt: 1"), "unknown field"],
    ["__proto__ as a key", withTerms("__proto__: {a: 1}"), "unknown field"],
    ["__proto__ as a meter", withTerms('prices: {__proto__: {model: per_unit, unit: "1"}}'), "isn’t a known meter"],
    ["an unknown model", withPrice("{model: flat}"), "must be one of per_unit, graduated"],
    ["a last tier with an upper bound", withPrice('{model: volume, tiers: [{up_to: 5, unit: "1"}]}'), "must be absent"],
    [
      "unordered tiers",
      withPrice('{model: volume, tiers: [{up_to: 5, unit: "1"}, {up_to: 5, unit: "1"}, {unit: "0"}]}'),
      "must be greater than 5",
    ],
    [
      "a tier without an upper bound before the last",
      withPrice('{model: volume, tiers: [{unit: "1"}, {unit: "0"}]}'),
      "is required in every tier except the last",
    ],
    [
      "free units with basis points",
      withTerms('prices: {successful_charges: {model: basis_points, rate: "1", free_units: 1}}'),
      "unknown field",
    ],
    ["an unknown meter", withTerms('prices: {tokens: {model: per_unit, unit: "1"}}'), "isn’t a known meter"],
    [
      "a merchant's own meter with the name of a built-in meter",
      withTerms('prices: {"own:step_ups": {model: per_unit, unit: "1"}}'),
      "isn’t a known meter",
    ],
  ])("refuses %s and gives its line", (_name, text, message) => {
    const problems = readCatalogue(text).problems;
    expect(problems).toMatchObject([{ line: 8, message: expect.stringContaining(message) }]);
  });

  test.each([
    ["a tab", "catalogue: 1\nplans:\n\tpro: {}", "3:"],
    ["an unclosed list", "catalogue: 1\nplans: [\n", "3:"],
    ["two documents", "catalogue: 1\n---\ncatalogue: 1\n", "2:1  the file must be one YAML document"],
    ["a duplicate key", "catalogue: 1\nplans: {}\nplans: {}\n", "3:1  duplicate key"],
    ["an unknown tag", "catalogue: !money 1", "1:12"],
    ["YAML 1.1", "%YAML 1.1\n---\ncatalogue: 1", "1:1  must be YAML 1.2: remove the directive %YAML 1.1"],
    ["an alias that contains itself", "catalogue: 1\nplans: &a {b: *a}", "2:11"],
    ["a key that is a number", "catalogue: 1\nplans: {5: {}}", "2:9 /plans a key must be text"],
    ["an empty file", "", "1:1  must be of type object"],
    ["a list", "- catalogue: 1", "1:1  must be of type object"],
    ["another version", "catalogue: 2", "1:12 /catalogue must be 1"],
    ["no version", "plans: {}", "1:1 /catalogue must be 1"],
  ])("refuses %s and gives its position", (_name, text, expected) => {
    expect(problemsOf(text)[0]).toMatch(new RegExp(`^${expected.replaceAll(/[.*]/g, "\\$&")}`));
  });

  test("an alias can repeat a value, but the number of expanded values is limited", () => {
    const prices = "prices: &p {tokens_issued: {model: per_unit, unit: '1'}}";
    const text = ["catalogue: 1", "plans:", ...pro, `    currencies: {EUR: {${prices}}, USD: {prices: *p}}`].join("\n");
    expect(problemsOf(text)).toEqual([]);
    const levels = Array.from(
      { length: 9 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`)}]`,
    );
    const bomb = ["a0: &a0 [1]", ...levels].join("\n");
    expect(problemsOf(bomb)).toContainEqual(expect.stringContaining("has more than 100000 values"));
  });

  test("many aliases are resolved in one pass", () => {
    const before = process.cpuUsage();
    problemsOf(`a: &a 1\nb: [${Array(30_000).fill("*a").join(", ")}]`);
    // One pass takes less than a second. If the whole document were searched for each alias, it would take more than a
    // minute.
    expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(20);
  });

  test("an alias refers to the last anchor before it", () => {
    const file = readYaml("first: &a 1\nsecond: *a\nthird: &a 3\nfourth: *a\nfifth: *b");
    expect(file.value).toEqual({ first: 1, second: 1, third: 3, fourth: 3, fifth: null });
    expect(file.problems).toEqual([{ line: 5, column: 8, pointer: "/fifth", message: "is an unknown alias" }]);
  });
});
