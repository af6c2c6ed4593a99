import { expect, test } from "vitest";
import { measureSource } from "./measure-source.ts";

const source = `
export const add = (left: number, right: number) => left + right;
const join = (a: string, b: string, c: string, d: string) => {
  return [...[a, b], ...[c, d].map((each) => each)].join("");
};
export function rename(name: string) {
  return { ...{ name }, ...(name && { old: name }), list: [1].map(function (one, index, all, rest) { return one; }) };
}
`;

test("counts lines and positional parameters of named functions", () => {
  const { functions } = measureSource("a.ts", source);
  const named = functions.filter(({ name }) => name !== "(callback)");
  expect(named).toEqual([
    { name: "add", line: 2, lines: 1, parameters: 2 },
    { name: "join", line: 3, lines: 3, parameters: 4 },
    { name: "rename", line: 6, lines: 3, parameters: 1 },
  ]);
  expect(functions.filter(({ name }) => name === "(callback)").map(({ parameters }) => parameters)).toEqual([0, 0]);
});

test("counts the positional parameters of a constructor", () => {
  const text = "class Row {\n  constructor(a: string, b: string, c: string, d: string) {}\n}";
  expect(measureSource("a.ts", text).functions).toEqual([{ name: "new Row", line: 2, lines: 1, parameters: 4 }]);
});

test("finds spreads of literals, but not of other values", () => {
  expect(measureSource("a.ts", source).spreadLiterals.map(({ line }) => line)).toEqual([4, 7]);
  const element = "const row = <Row {...{ id, name }} {...rest} />;";
  expect(measureSource("a.tsx", element).spreadLiterals).toHaveLength(1);
});

test("lists exported functions, and no other values", () => {
  const text = `${source}export const limit = 3;\nexport type Name = string;`;
  expect(measureSource("a.ts", text).exportedFunctions).toEqual(["add", "rename"]);
});
