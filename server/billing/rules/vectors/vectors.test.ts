import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decidedOtherwise, membersDecidedOtherwise } from "./decided-otherwise.fixture.ts";
import { invoiceVectors } from "./invoice-vectors.fixture.ts";
import { moneyVectors } from "./money-vectors.fixture.ts";
import { periodVectors } from "./period-vectors.fixture.ts";
import { priceVectors } from "./price-vectors.fixture.ts";
import { exactOfFraction, type Vector, type VectorRunner } from "./vector.fixture.ts";

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("billing.json", import.meta.url), "utf8"));
const runners: Readonly<Record<string, VectorRunner>> = {
  ...priceVectors,
  ...periodVectors,
  ...moneyVectors,
  ...invoiceVectors,
};
const ours = vectors.filter(({ id }) => !Object.hasOwn(decidedOtherwise, id));

test("all 125 examples from other engines are computed, or a rule requires a different result (docs/spec/billing.md, Examples)", () => {
  expect(vectors).toHaveLength(125);
  expect(ours.filter(({ topic }) => !Object.hasOwn(runners, topic))).toEqual([]);
  const ids = new Set(vectors.map(({ id }) => id));
  const listed = [...Object.keys(decidedOtherwise), ...Object.keys(membersDecidedOtherwise)];
  expect(listed.filter((id) => !ids.has(id))).toEqual([]);
});

test.each(ours)("example $id gives the documented result (docs/spec/billing.md, Examples)", (vector) => {
  const { id, topic, input, expected } = vector;
  const others = membersDecidedOtherwise[id] ?? [];
  const members = Object.entries(expected).filter(([name]) => !others.includes(name));
  const actual = runners[topic]?.(input) ?? {};
  // An exact amount is compared with the fraction in the example.
  const wanted = members.map(([name, value]) => [
    name,
    typeof actual[name] === "bigint" ? exactOfFraction(String(value)) : value,
  ]);
  expect(members.length).toBeGreaterThan(0);
  expect(actual).toEqual(Object.fromEntries(wanted));
});
